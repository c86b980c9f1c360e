package hdc

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

const uitestUsage = `USAGE :
command:
   help                                    print help messages
   screenCap                               capture the current screen
   dumpLayout                              get the current layout information
   uiRecord                                record the ui operations
   uiInput                                 inject ui simulation actions
   start-daemon <token>                    start the test process
   --version                               print current tool version
`

// errBusy is what a second user of the accessibility service hears.
const errBusy = "Can not connect to AAMS, RET_ERR_CONNECTION_EXIST"

// runUitest is the test tool of the system. Only one may use the accessibility service at a time.
func runUitest(ctx context.Context, p *proc) int {
	command, args := "help", []string{}
	if len(p.Args) > 1 {
		command, args = p.Args[1], p.Args[2:]
	}
	switch command {
	case "dumpLayout":
		return p.dumpLayout(ctx, args)
	case "screenCap":
		return p.screenCap(ctx, args)
	case "uiInput":
		return p.uiInput(ctx, args)
	case "start-daemon":
		return p.startDaemon(ctx, args)
	case "--version":
		p.Print("%s\n", p.d.profile.UITest)
		return 0
	case "uiRecord":
		p.Print("Illegal argument: \n%s", uitestUsage)
		return 1
	case "help":
		p.Print("%s", uitestUsage)
		return 0
	}
	p.Print("Illegal argument: %s\n%s", command, uitestUsage)
	return 1
}

// connect takes the accessibility service, or gives up after a while. release gives it back.
func (p *proc) connect(ctx context.Context) (release func(), ok bool) {
	if !p.d.faults.On(FaultDumpBusy) {
		select {
		case p.d.aams <- struct{}{}:
			return func() { <-p.d.aams }, true
		default:
		}
	}
	_ = nap.For(ctx, p.d.takes().Busy) // the service refuses at once; the tool takes its time to say so
	return nil, false
}

// startDaemon holds the accessibility service for as long as it runs.
func (p *proc) startDaemon(ctx context.Context, args []string) int {
	if len(args) == 0 {
		p.Print("Illegal argument: start-daemon\n%s", uitestUsage)
		return 1
	}
	release, ok := p.connect(ctx)
	if !ok {
		return 1
	}
	defer release()
	<-ctx.Done()
	return killed
}

// dumpArgs are the arguments of dumpLayout.
type dumpArgs struct {
	file         string
	unfiltered   bool
	merge, fonts bool
	bundle       string
	window       string
}

func (p *proc) dumpArgs(args []string) (a dumpArgs, problem string) {
	a = dumpArgs{merge: true, file: fmt.Sprintf("%s/layout_%d.json", tempDir, p.d.now().UnixMicro())}
	for ; len(args) > 0; args = args[1:] {
		switch args[0] {
		case "-i":
			a.unfiltered = true
			continue
		case "-a":
			a.fonts = true
			continue
		}
		if len(args) < 2 || !slices.Contains([]string{"-p", "-b", "-w", "-m", "-d", "-e"}, args[0]) {
			return a, "Illegal argument: " + args[0]
		}
		switch args[0] {
		case "-p":
			a.file = p.Abs(args[1])
		case "-b":
			a.bundle = args[1]
		case "-w":
			a.window = args[1]
		case "-m":
			a.merge = args[1] != "false"
		case "-d":
			if p.d.profile.API < apiDisplayOption {
				return a, "Illegal argument: -d"
			}
			if args[1] != "0" {
				return a, "Invalid display id."
			}
		}
		args = args[1:]
	}
	if a.unfiltered && a.fonts {
		return a, "The -a and -i options cannot be used together."
	}
	return a, ""
}

// dumpLayout writes the tree into a file. The file is emptied first, so that a dump that fails leaves it so.
func (p *proc) dumpLayout(ctx context.Context, args []string) int {
	a, problem := p.dumpArgs(args)
	if problem != "" {
		p.Print("%s\n%s", problem, uitestUsage)
		return 1
	}
	if p.d.faults.Take(FaultDumpFirst) {
		return 0
	}
	if err := p.truncate(a.file); err != nil {
		p.Print("DumpLayout failed:Error path:%s%v\n", a.file, err)
		return 1
	}
	release, ok := p.connect(ctx)
	if !ok {
		p.Print("DumpLayout failed:%s\n", errBusy)
		return 1
	}
	defer release()
	if nap.For(ctx, p.d.takes().Dump+p.d.faults.Duration(FaultDumpSlow)) != nil {
		return killed
	}
	data := p.d.layout(a)
	if data == nil {
		p.Print("DumpLayout failed:Get window nodes failed\n")
		return 1
	}
	if err := p.d.FS().WriteFile(a.file, p.spoil(data), 0o644); err != nil {
		p.Print("DumpLayout failed:Error path:%s%v\n", a.file, err)
		return 1
	}
	space := ""
	if p.d.faults.On(FaultDumpSpace) {
		space = " "
	}
	p.Print("DumpLayout saved to:%s%s\n", space, a.file)
	return 0
}

// spoil returns what the faults leave of a dump.
func (p *proc) spoil(data []byte) []byte {
	switch {
	case p.d.faults.On(FaultDumpEmpty):
		return nil
	case p.d.faults.On(FaultDumpCut):
		return data[:len(data)/2]
	}
	return data
}

// truncate makes an empty file where uitest may write.
func (p *proc) truncate(name string) error {
	if outside(name) {
		return phoneshell.EACCES
	}
	return p.d.FS().WriteFile(name, nil, 0o644)
}

// screenCap writes a PNG of the display.
func (p *proc) screenCap(ctx context.Context, args []string) int {
	file := fmt.Sprintf("%s/screenCap_%d.png", tempDir, p.d.now().UnixMicro())
	for i := 0; i+1 < len(args); i += 2 {
		switch args[i] {
		case "-p":
			file = p.Abs(args[i+1])
		case "-d":
			if args[i+1] != "0" || p.d.profile.API < apiDisplayOption {
				p.Print("Invalid display id.\n%s", uitestUsage)
				return 1
			}
		default:
			p.Print("Illegal argument: %s\n%s", args[i], uitestUsage)
			return 1
		}
	}
	if err := p.truncate(file); err != nil {
		p.Print("File opening failed: Bad file descriptor\nScreenCap failed: File opening failed\n")
		return 1
	}
	if nap.For(ctx, p.d.takes().Snapshot*5+p.d.faults.Duration(FaultSnapshotSlow)) != nil {
		return killed
	}
	if p.d.faults.On(FaultScreenCapFail) {
		p.Print("ScreenCap failed: Failed to get display pixelMap\n")
		return 1
	}
	data, _ := p.d.phone.PNG()
	if err := p.d.FS().WriteFile(file, data, 0o644); err != nil {
		p.Print("ScreenCap failed: File opening failed\n")
		return 1
	}
	p.Print("ScreenCap saved to %s\n", file)
	return 0
}

// atoi reads a number as C does: as far as there are digits, and 0 for none.
func atoi(s string) int {
	s = strings.TrimLeft(s, " \t\n")
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[0] == '-' || s[0] == '+')) {
		end++
	}
	n, _ := strconv.ParseInt(s[:end], 10, 32)
	return int(min(max(n, -farthest), farthest))
}

// farthest bounds the numbers that are read: a gesture that is much longer would keep the phone busy for hours.
const farthest = 100_000
