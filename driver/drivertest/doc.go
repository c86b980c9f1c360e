// Package drivertest is the conformance suite that every driver passes.
//
// A driver's own test is a short harness, which says how to get a phone and what the phone can tell:
//
//	func TestContract(t *testing.T) {
//		drivertest.Run(t, &drivertest.Config{
//			Open: func(t testing.TB) *drivertest.Phone {
//				phone := newPhone()
//				return &drivertest.Phone{Driver: open(t, phone), Log: phone.events}
//			},
//		})
//	}
//
// Each case checks one rule of package driver and says it in words where it fails. A case that needs
// something that the harness does not give is skipped with the reason, and is never green: a harness
// with more hooks checks more rules.
package drivertest
