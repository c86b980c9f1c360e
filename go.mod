module github.com/handset-go/handset

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/caarlos0/env/v11 v11.4.2
	github.com/electricbubble/gadb v0.1.0
	github.com/electricbubble/gidevice v0.6.2
	github.com/electricbubble/gwda v0.4.0
	github.com/hajimehoshi/bitmapfont/v3 v3.2.0
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
	golang.org/x/image v0.48.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	mvdan.cc/sh/v3 v3.14.1
)

require (
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/lunixbochs/struc v0.0.0-20200707160740-784aaebc1d40 // indirect
	github.com/pierrec/lz4/v4 v4.1.21 // indirect
	github.com/satori/go.uuid v1.2.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.44.0 // indirect
	howett.net/plist v1.0.0 // indirect
)
