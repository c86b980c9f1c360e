package agent_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
)

func inVirtualTime(t *testing.T, f func(*testing.T)) { synctest.Test(t, f) }

func decodeConfig(t *testing.T, img *agent.Image) image.Config {
	t.Helper()
	cfg, err := png.DecodeConfig(bytes.NewReader(img.Data))
	require.NoError(t, err)
	return cfg
}

// pngDriver gives frames as encoded bytes, as a real phone does. It has the core methods only.
type pngDriver struct {
	driver.Driver
	png []byte
}

func (d *pngDriver) Screenshot(context.Context) (*driver.Screen, error) {
	return driver.NewScreen(d.png, driver.HealthOK)
}
