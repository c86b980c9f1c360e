package wda

// location is a place, in degrees.
type location struct{ latitude, longitude float64 }

// deviceLocation is where the phone is: at the simulated place, or nowhere, since nobody has allowed the runner to know.
func (c *call) deviceLocation() (any, error) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	var at location
	if c.d.location != nil {
		at = *c.d.location
	}
	return map[string]any{"authorizationStatus": 0, "latitude": at.latitude, "longitude": at.longitude, "altitude": 0}, nil
}

func (c *call) simulatedLocation() (any, error) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	if at := c.d.location; at != nil {
		return map[string]any{"latitude": at.latitude, "longitude": at.longitude, "altitude": 0}, nil
	}
	return map[string]any{"latitude": nil, "longitude": nil, "altitude": nil}, nil
}

func (c *call) setLocation() (any, error) {
	latitude, ok := number(c.body["latitude"])
	longitude, too := number(c.body["longitude"])
	if !ok || !too {
		return nil, fail(errArgument, "Both latitude and longitude must be provided")
	}
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.d.location = &location{latitude, longitude}
	return nil, nil
}

func (c *call) clearLocation() (any, error) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.d.location = nil
	return nil, nil
}
