package drivertest

// Results is what the tests of the suite look at: what Run reports, without subtests.
var Results = results

// Valid is what Run says of a Config before it begins.
var Valid = (*Config).valid
