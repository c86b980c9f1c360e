//go:build !unix

package android

func sysOf(*Info) any { return nil }
