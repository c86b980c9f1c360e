package hdc

// The key codes that this driver presses by itself (oh_key_code.h).
const (
	codeHome     = 1
	codeBack     = 2
	codePower    = 18
	codeDigit0   = 2000
	codeNumpad0  = 2103
	codeA        = 2017
	codeV        = 2038
	codeEnter    = 2054
	codeNumEnter = 2119
	codeLock     = 2809
	codeDelete   = 2055
	codeFwdDel   = 2071
	codeCtrl     = 2072
	codeMoveEnd  = 2082
	codeRecents  = 10011 // Huawei's phones ignore 2210, the code of the public header
	mostKeyCode  = 5000
	digits       = 10
	letters      = 26
	functionKeys = 12
)

// ohosCodes are OpenHarmony's key codes by the names of its header, without KEYCODE_. Digits, letters, F1 to F24 and
// NUMPAD_0 to 9 are not in it.
var ohosCodes = map[string]int{
	"FN": 0, "HOME": codeHome, "BACK": codeBack, "SEARCH": 9, "MEDIA_PLAY_PAUSE": 10, "MEDIA_STOP": 11, "MEDIA_NEXT": 12,
	"MEDIA_PREVIOUS": 13, "MEDIA_REWIND": 14, "MEDIA_FAST_FORWARD": 15, "VOLUME_UP": 16, "VOLUME_DOWN": 17, "POWER": codePower,
	"CAMERA": 19, "VOLUME_MUTE": 22, "MUTE": 23, "BRIGHTNESS_UP": 40, "BRIGHTNESS_DOWN": 41,
	"STAR": 2010, "POUND": 2011, "DPAD_UP": 2012, "DPAD_DOWN": 2013, "DPAD_LEFT": 2014, "DPAD_RIGHT": 2015, "DPAD_CENTER": 2016,
	"COMMA": 2043, "PERIOD": 2044, "ALT_LEFT": 2045, "ALT_RIGHT": 2046, "SHIFT_LEFT": 2047, "SHIFT_RIGHT": 2048, "TAB": 2049,
	"SPACE": 2050, "SYM": 2051, "EXPLORER": 2052, "ENVELOPE": 2053, "ENTER": codeEnter, "DEL": codeDelete, "GRAVE": 2056,
	"MINUS": 2057, "EQUALS": 2058, "LEFT_BRACKET": 2059, "RIGHT_BRACKET": 2060, "BACKSLASH": 2061, "SEMICOLON": 2062,
	"APOSTROPHE": 2063, "SLASH": 2064, "AT": 2065, "PLUS": 2066, "MENU": 2067, "PAGE_UP": 2068, "PAGE_DOWN": 2069, "ESCAPE": 2070,
	"FORWARD_DEL": codeFwdDel, "CTRL_LEFT": codeCtrl, "CTRL_RIGHT": 2073, "CAPS_LOCK": 2074, "SCROLL_LOCK": 2075, "META_LEFT": 2076,
	"META_RIGHT": 2077, "FUNCTION": 2078, "SYSRQ": 2079, "BREAK": 2080, "MOVE_HOME": 2081, "MOVE_END": codeMoveEnd, "INSERT": 2083,
	"FORWARD": 2084, "MEDIA_PLAY": 2085, "MEDIA_PAUSE": 2086, "MEDIA_CLOSE": 2087, "MEDIA_EJECT": 2088, "MEDIA_RECORD": 2089,
	"NUM_LOCK": 2102, "NUMPAD_DIVIDE": 2113, "NUMPAD_MULTIPLY": 2114, "NUMPAD_SUBTRACT": 2115, "NUMPAD_ADD": 2116,
	"NUMPAD_DOT": 2117, "NUMPAD_COMMA": 2118, "NUMPAD_ENTER": codeNumEnter, "NUMPAD_EQUALS": 2120, "NUMPAD_LEFT_PAREN": 2121,
	"NUMPAD_RIGHT_PAREN": 2122, "VIRTUAL_MULTITASK": codeRecents,
	"BUTTON_A": 2301, "BUTTON_B": 2302, "BUTTON_X": 2304, "BUTTON_Y": 2305, "BUTTON_L1": 2307, "BUTTON_R1": 2308, "BUTTON_L2": 2309,
	"BUTTON_R2": 2310, "BUTTON_SELECT": 2311, "BUTTON_START": 2312, "BUTTON_MODE": 2313, "BUTTON_THUMBL": 2314, "BUTTON_THUMBR": 2315,
	"SLEEP": 2600, "UNDO": 2619, "COPY": 2620, "PASTE": 2622, "FIND": 2623, "CUT": 2624, "HELP": 2625, "CALC": 2626, "REFRESH": 2635,
	"REDO": 2641, "DISPLAY_OFF": 2661, "CALENDAR": 2685, "CHANNELUP": 2690, "CHANNELDOWN": 2691, "ZOOMIN": 2698, "ZOOMOUT": 2699,
	"WAKEUP": 2802, "SCREENLOCK": codeLock, "BATTERY": 2842, "BLUETOOTH": 2843, "WLAN": 2844,
}

// darkKeys work while the display is off.
var darkKeys = map[int]bool{
	codePower: true, 16: true, 17: true, 22: true, 23: true, 19: true, 10: true, 11: true, 12: true, 13: true, 14: true, 15: true,
	2085: true, 2086: true, 2600: true, 2661: true, 2802: true,
}

// isPINKey says that a key is of use on a lock screen that is lit: it writes a PIN, or locks.
func isPINKey(code int) bool {
	switch code {
	case codeEnter, codeNumEnter, codeDelete, codeLock:
		return true
	}
	return code >= codeDigit0 && code < codeDigit0+digits || code >= codeNumpad0 && code < codeNumpad0+digits
}
