package main

import (
	"errors"
	"net/url"
	"os"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/hdc"
	"github.com/handset-go/handset/internal/phonefront/wda"
)

// simulated are three phones that need no hardware.
type simulated struct {
	addresses []string
	phones    []*sim.Phone
	closers   []func() error
}

func simulate() (*simulated, error) {
	s := &simulated{}
	for _, start := range []func() error{s.android, s.harmony, s.iphone} {
		if err := start(); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

func (s *simulated) add(phone *sim.Phone, address string) {
	s.phones, s.addresses = append(s.phones, phone), append(s.addresses, address)
}

func (s *simulated) close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

func (s *simulated) android() error {
	phone := sim.New(nil)
	device, err := android.New(phone, nil)
	if err != nil {
		return err
	}
	server, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: device}}})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, server.Close)
	s.add(phone, "adb:"+device.Serial()+"?server="+url.QueryEscape(server.Addr()))
	return nil
}

func (s *simulated) harmony() error {
	phone := sim.New(&sim.Options{Platform: sim.PlatformHarmony})
	device, err := hdc.New(phone, nil)
	if err != nil {
		return err
	}
	server, err := hdc.Serve(nil, device)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "handset-hdc-")
	if err != nil {
		return errors.Join(err, server.Close())
	}
	s.closers = append(s.closers, server.Close, func() error { return os.RemoveAll(dir) })
	tool, err := server.WriteTool(dir, "")
	if err != nil {
		return err
	}
	s.add(phone, "hdc:"+device.Key()+"?tool="+url.QueryEscape(tool))
	return nil
}

func (s *simulated) iphone() error {
	phone, err := wda.NewPhone("", nil)
	if err != nil {
		return err
	}
	server, err := wda.Listen("127.0.0.1:0", phone, nil)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, server.Close)
	s.add(phone, "wda://"+server.Addr())
	return nil
}
