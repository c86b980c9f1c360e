package android

import (
	"context"
	"strings"
)

// phoneIP is the address of the phone in its Wi-Fi.
const phoneIP = "192.168.12.34"

// wifi says that the phone is in a network.
func (d *Device) wifi() bool {
	return d.setting("global", "airplane_mode_on") != "1" && d.phone.Value("wifi") != "false"
}

// runIP is ip route and ip addr.
func runIP(_ context.Context, p *proc) int {
	words := []string{}
	for i := 1; i < len(p.Args); i++ {
		switch a := p.Args[i]; {
		case a == "-f":
			i++
		case !strings.HasPrefix(a, "-"):
			words = append(words, a)
		}
	}
	if len(words) == 0 {
		return p.Fail(255, "Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }\nwhere  OBJECT := { link | addr | route }")
	}
	on := p.d.wifi()
	switch {
	case strings.HasPrefix("route", words[0]):
		if on {
			p.Print("192.168.12.0/24 dev wlan0 proto kernel scope link src %s \n", phoneIP)
		}
	case strings.HasPrefix("address", words[0]), words[0] == "link":
		p.ipAddresses(on, words[0] == "link")
	default:
		return p.Fail(255, "Object \"%s\" is unknown, try \"ip help\".", words[0])
	}
	return 0
}

func (p *proc) ipAddresses(on, linkOnly bool) {
	p.Print("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n")
	if !linkOnly {
		p.Print("    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n")
	}
	state, flags := "DOWN", "BROADCAST,MULTICAST"
	if on {
		state, flags = "UP", "BROADCAST,MULTICAST,UP,LOWER_UP"
	}
	p.Print("21: wlan0: <%s> mtu 1500 qdisc mq state %s group default qlen 3000\n    link/ether 02:00:00:44:55:66 brd ff:ff:ff:ff:ff:ff\n", flags, state)
	if on && !linkOnly {
		p.Print("    inet %s/24 brd 192.168.12.255 scope global wlan0\n       valid_lft forever preferred_lft forever\n", phoneIP)
	}
}

// runIfconfig lists the interfaces, or the one that is named.
func runIfconfig(_ context.Context, p *proc) int {
	name := lastWord(p.Args[1:])
	if name != "" && name != "lo" && name != "wlan0" {
		return p.Fail(1, "ifconfig: %s: No such device", name)
	}
	if name != "lo" {
		p.Print("wlan0     Link encap:Ethernet  HWaddr 02:00:00:44:55:66\n")
		if p.d.wifi() {
			p.Print("          inet addr:%s  Bcast:192.168.12.255  Mask:255.255.255.0 \n          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n", phoneIP)
		}
		p.Print("\n")
	}
	if name != "wlan0" {
		p.Print("lo        Link encap:Local Loopback  \n          inet addr:127.0.0.1  Mask:255.0.0.0 \n          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n\n")
	}
	return 0
}
