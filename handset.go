// Package handset is the root of a Go SDK that gives programs hands and eyes on phones. It holds no code: see
// package driver for phones, package agent for models that use them, and the command in cmd/handset.
package handset
