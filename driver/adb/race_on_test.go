//go:build race

package adb_test

// raceDetector says that the tests run several times slower.
const raceDetector = true
