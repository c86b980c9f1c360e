package main
var built struct{dir string}
