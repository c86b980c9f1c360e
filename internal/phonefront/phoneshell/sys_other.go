//go:build !unix

package phoneshell

func sysOf(*Info) any { return nil }
