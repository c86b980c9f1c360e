package apps

import "maps"

// All returns the exact names of a platform with their ids.
func All(platform string) map[string][]string { return maps.Clone(tables()[platform].ids) }
