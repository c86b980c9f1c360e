package android

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// startProps are the properties of a phone that has booted.
func (d *Device) startProps() map[string]string {
	p, b := d.profile, d.profile.Banner
	locale := "en-US"
	if d.phone.Lang() == "zh" {
		locale = "zh-CN"
	}
	props := map[string]string{
		"ro.build.version.release": p.Release, "ro.build.version.sdk": strconv.Itoa(p.SDK), "ro.product.model": b.Model,
		"ro.product.brand": "google", "ro.product.manufacturer": "Google", "ro.product.name": b.Product, "ro.product.device": b.Device,
		"ro.serialno": d.serial, "ro.boot.serialno": d.serial, "ro.product.cpu.abi": "arm64-v8a",
		"ro.product.cpu.abilist": "arm64-v8a,armeabi-v7a,armeabi", "ro.sf.lcd_density": strconv.Itoa(d.phone.Density()),
		"persist.sys.locale": locale, "ro.product.locale": "en-US", "sys.boot_completed": "1", "dev.bootcomplete": "1",
		"init.svc.bootanim": "stopped", "init.svc.adbd": "running", "ro.debuggable": "0", "ro.secure": "1", "ro.build.type": "user",
		"ro.build.characteristics": "nosdcard", "ro.hardware": b.Device, "ro.build.version.codename": "REL",
		"ro.build.fingerprint": "google/" + b.Product + "/" + b.Device + ":" + p.Release + "/SIM/1:user/release-keys",
		"ro.build.display.id":  "SIM." + p.Release, "ro.build.id": "SIM",
		"persist.sys.timezone": "GMT", "gsm.sim.state": "READY", "ro.adb.secure": "1",
	}
	maps.Copy(props, p.Props)
	return props
}

// Prop returns a property, "" if it is not set.
func (d *Device) Prop(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.props[name]
}

// SetProp sets a property, read-only ones too, as a ROM would have built it in.
func (d *Device) SetProp(name, value string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.props[name] = value
}

func runGetprop(_ context.Context, p *proc) int {
	d := p.d
	switch len(p.Args) {
	case 1:
		d.mu.Lock()
		props := maps.Clone(d.props)
		d.mu.Unlock()
		for _, name := range slices.Sorted(maps.Keys(props)) {
			p.Print("[%s]: [%s]\n", name, props[name])
		}
	case 2:
		p.Print("%s\n", d.Prop(p.Args[1]))
	default:
		value := d.Prop(p.Args[1])
		if value == "" {
			value = p.Args[2]
		}
		p.Print("%s\n", value)
	}
	return 0
}

func runSetprop(_ context.Context, p *proc) int {
	if len(p.Args) != 3 {
		return p.Fail(1, "setprop: Needs 2 arguments (see \"setprop --help\")")
	}
	name := p.Args[1]
	if !strings.HasPrefix(name, "debug.") && !strings.HasPrefix(name, "log.") {
		return p.Fail(1, "Failed to set property '%s' to '%s'.\nSee dmesg for error reason.", name, p.Args[2])
	}
	p.d.SetProp(name, p.Args[2])
	return 0
}
