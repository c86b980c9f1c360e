package adb

import "context"

// Ask runs a question as the driver's own ones are run.
func Ask(ctx context.Context, d *Driver, line string) (stdout, stderr string, code int, err error) {
	out, err := d.ask(ctx, line)
	if err != nil {
		return "", "", 0, err
	}
	return string(out.stdout), string(out.stderr), out.code, nil
}

// ResidentAlive says that the resident shell is there.
func ResidentAlive(d *Driver) bool {
	d.resident.mu.Lock()
	defer d.resident.mu.Unlock()
	return d.resident.shell != nil && d.resident.shell.alive()
}
