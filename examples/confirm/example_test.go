package main

func Example() {
	main()
	// Output:
	// * buy Green tea
	//   asked: Pay for 12.50 yuan: true
	//   asked: Confirm payment for 12.50 yuan: true
	//   Paid in Shop. Payments on the phone: 1
	// * buy Headphones
	//   asked: Pay for 199.00 yuan: false
	//   not bought: the run ended as denied after 4 steps: tap sim:mine: denied by rule "labels": "Pay" looks like a payment; the answer was no: too expensive
	// * a login that only a person can do
	//   the phone is yours: Please log in.
	//   Logged in. In front now: Notes
}
