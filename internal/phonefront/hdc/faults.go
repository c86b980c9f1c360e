package hdc

import (
	"strings"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/fault"
)

// The names of the faults.
const (
	FaultUnauthorized  = "unauthorized"
	FaultAuthorizing   = "authorizing"
	FaultEstablishing  = "establishing"
	FaultOffline       = "offline"
	FaultServerDown    = "server-down"
	FaultRealTime      = "real-time"
	FaultHang          = "hang"
	FaultSlow          = "slow"
	FaultDiesMidCall   = "dies-mid-call"
	FaultDropAfterSend = "drop-after-send"
	FaultRecvCut       = "recv-cut"
	FaultChatter       = "chatter"
	FaultCRLF          = "crlf"
	FaultPanelOff      = "panel-off"
	FaultLocked        = "locked"
	FaultDoze          = "doze"
	FaultNotDeveloper  = "not-developer"
	FaultSnapshotFail  = "snapshot-fail"
	FaultSnapshotEmpty = "snapshot-empty"
	FaultSnapshotCut   = "snapshot-truncated"
	FaultSnapshotSlow  = "snapshot-slow"
	FaultScreenCapFail = "screencap-fail"
	FaultDumpBusy      = "dump-busy"
	FaultDumpFirst     = "dump-first-empty"
	FaultDumpEmpty     = "dump-empty"
	FaultDumpCut       = "dump-truncated"
	FaultDumpWindows   = "dump-no-windows"
	FaultDumpSlow      = "dump-slow"
	FaultDumpNoBounds  = "dump-no-bounds"
	FaultDumpNegative  = "dump-negative-bounds"
	FaultDumpBig       = "dump-big"
	FaultDumpExtension = "dump-extension"
	FaultDumpWeb       = "dump-web"
	FaultDumpSpace     = "dump-space"
	FaultInputSlow     = "input-slow"
	FaultInputLost     = "input-lost"
	FaultNoPaste       = "no-paste"
	FaultStrayLetter   = "stray-letter"
	FaultStartIgnored  = "start-ignored"
	FaultStartSlow     = "start-slow"
	FaultShortAbility  = "short-ability"
	FaultRenderZero    = "render-zero"
	FaultInstallFail   = "install-fail"
)

var faults = []fault.Fault{
	{Name: FaultUnauthorized, Doc: "the owner has refused this computer"},
	{Name: FaultAuthorizing, Doc: "the phone asks its owner about this computer for that long", Arg: "1h"},
	{Name: FaultEstablishing, Doc: "the phone was just plugged in, and its channel is being set up for that long", Arg: "10s"},
	{Name: FaultOffline, Doc: "the phone is attached and does not answer"},
	{Name: FaultServerDown, Doc: "the hdc server cannot be reached or started: \"Connect server failed\" on stderr"},
	{Name: FaultRealTime, Doc: "everything takes as long as on a phone: a tap 0.2 s, a dump 0.6 s, 20 s until uitest gives up on the " +
		"accessibility service, 12.4 s until the tool gives up on a server"},
	{Name: FaultHang, Doc: "every command of the phone hangs before it does anything"},
	{Name: FaultSlow, Doc: "every command of the phone starts that much later", Arg: "2s"},
	{Name: FaultDiesMidCall, Doc: "the phone's daemon dies once a command has printed something, which cuts the output"},
	{Name: FaultDropAfterSend, Doc: "an input is done, then the phone's daemon dies before it answers"},
	{Name: FaultRecvCut, Doc: "a file received breaks off half-way"},
	{Name: FaultChatter, Doc: "a line of the graphics loader comes before the output of each of the phone's programs"},
	{Name: FaultCRLF, Doc: "line ends as a Windows build of the tool writes them"},
	{Name: FaultPanelOff, Doc: "the panel goes dark, and wakes when the fault goes"},
	{Name: FaultLocked, Doc: "the phone shows its lock screen, and opens when the fault goes"},
	{Name: FaultDoze, Doc: "the panel dozes: it shows something and takes no input"},
	{Name: FaultNotDeveloper, Doc: "the developer mode is off"},
	{Name: FaultSnapshotFail, Doc: "snapshot_display cannot write its picture"},
	{Name: FaultSnapshotEmpty, Doc: "snapshot_display says success and leaves an empty file"},
	{Name: FaultSnapshotCut, Doc: "snapshot_display says success and leaves half a picture"},
	{Name: FaultSnapshotSlow, Doc: "a picture takes that long", Arg: "2s"},
	{Name: FaultScreenCapFail, Doc: "uitest screenCap gets no picture"},
	{Name: FaultDumpBusy, Doc: "another tool holds the accessibility service"},
	{Name: FaultDumpFirst, Doc: "the next dump ends with nothing said and nothing written"},
	{Name: FaultDumpEmpty, Doc: "a dump says that it was saved and leaves an empty file"},
	{Name: FaultDumpCut, Doc: "a dump says that it was saved and leaves half of it"},
	{Name: FaultDumpWindows, Doc: "a dump gets no windows"},
	{Name: FaultDumpSlow, Doc: "a dump takes that long", Arg: "2s"},
	{Name: FaultDumpNoBounds, Doc: "the next dump races with the page: a canvas has origBounds and empty bounds"},
	{Name: FaultDumpNegative, Doc: "rows that were scrolled away are dumped outside of their list"},
	{Name: FaultDumpBig, Doc: "that many more nodes in the dump", Arg: "20000"},
	{Name: FaultDumpExtension, Doc: "a UIExtensionComponent of another process, with ids of 14 digits, lies over the page"},
	{Name: FaultDumpWeb, Doc: "an ArkWeb page is in the dump: opacity 0, edges beyond the screen"},
	{Name: FaultDumpSpace, Doc: "a space between \"saved to:\" and the file, as some builds have it"},
	{Name: FaultInputSlow, Doc: "an input takes that long", Arg: "2s"},
	{Name: FaultInputLost, Doc: "uiInput says No Error and nothing happens"},
	{Name: FaultNoPaste, Doc: "the field forbids pasting"},
	{Name: FaultStrayLetter, Doc: "Ctrl+A types an a and selects nothing"},
	{Name: FaultStartIgnored, Doc: "aa start says success and the app does not come to the front"},
	{Name: FaultStartSlow, Doc: "aa start says success that long before the app comes to the front", Arg: "500ms"},
	{Name: FaultShortAbility, Doc: "bm names the main ability short in one place and in full in another"},
	{Name: FaultRenderZero, Doc: "the compositor boots: a display of 0x0"},
	{Name: FaultInstallFail, Doc: "an installation is refused with that code", Arg: "9568322"},
}

// Faults lists the faults in a fixed order.
func Faults() []fault.Fault { return fault.NewSet(faults).List() }

// SetFault switches a fault of the device, given as "name" or "name=arg", or, where it has none of that
// name, of the phone inside.
func (d *Device) SetFault(name string, on bool) error {
	bare, _, _ := strings.Cut(name, "=")
	if _, ofPhone := sim.Faults()[bare]; ofPhone && !d.faults.Known(bare) {
		return d.phone.SetFault(name, on)
	}
	if err := d.faults.Switch(name, on); err != nil {
		return err
	}
	if bare == FaultAuthorizing || bare == FaultEstablishing {
		d.mu.Lock()
		d.plugged = d.now()
		d.mu.Unlock()
	}
	if bare == FaultDiesMidCall || bare == FaultDropAfterSend {
		d.revive()
	}
	switch {
	case bare == FaultPanelOff && on:
		d.phone.Sleep()
	case bare == FaultLocked && on:
		d.phone.Sleep()
		d.phone.Wake()
	case bare == FaultPanelOff || bare == FaultLocked:
		d.phone.Wake()
		d.phone.Unlock()
	}
	return nil
}
