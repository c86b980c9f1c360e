package driver

// Operations lists what d can do, by itself or by a slow path, without asking the phone.
func Operations(d Driver) []Op {
	if w, ok := d.(interface{ operations() []Op }); ok {
		return w.operations()
	}
	var ops []Op
	for _, op := range Ops() {
		if can(d, op) {
			ops = append(ops, op)
		}
	}
	return ops
}

// can says whether d has the operation or what its slow path needs.
func can(d Driver, op Op) bool {
	if native, ok := natives[op]; ok && native(d) {
		return true
	}
	switch op {
	case OpDrag, OpPinch:
		return can(d, OpGesture)
	case OpSetText:
		return can(d, OpType)
	case OpResolve:
		return can(d, OpApps)
	case OpWake, OpLock:
		return can(d, OpPowerState)
	case OpScreenshot, OpTree, OpTap, OpSwipe, OpKey, OpLaunch, OpDoubleTap, OpLongPress, OpClearText,
		OpForeground, OpRotation, OpFrames, OpRelease, OpDescribe:
		return true
	}
	return false
}

// natives asks a driver for each capability.
var natives = map[Op]func(Driver) bool{
	OpType:         has[TypeDriver],
	OpClearText:    has[ClearTextDriver],
	OpSetText:      has[SetTextDriver],
	OpDoubleTap:    has[DoubleTapDriver],
	OpLongPress:    has[LongPressDriver],
	OpDrag:         has[DragDriver],
	OpPinch:        has[PinchDriver],
	OpGesture:      has[GestureDriver],
	OpForeground:   has[ForegroundDriver],
	OpResolve:      has[ResolveDriver],
	OpApps:         has[AppsDriver],
	OpStop:         has[StopDriver],
	OpOpenURL:      has[OpenURLDriver],
	OpRotation:     has[RotationDriver],
	OpRotate:       has[RotateDriver],
	OpWake:         has[WakeDriver],
	OpLock:         has[LockDriver],
	OpPowerState:   has[PowerStateDriver],
	OpClipboard:    has[ClipboardDriver],
	OpSetClipboard: has[SetClipboardDriver],
	OpInstall:      has[InstallDriver],
	OpUninstall:    has[UninstallDriver],
	OpPush:         has[PushDriver],
	OpPull:         has[PullDriver],
	OpShell:        has[ShellDriver],
	OpLogs:         has[LogsDriver],
	OpFrames:       has[FramesDriver],
	OpRelease:      has[ReleaseDriver],
	OpDescribe:     has[DescribeDriver],
}

func has[T Driver](d Driver) bool {
	_, ok := d.(T)
	return ok
}
