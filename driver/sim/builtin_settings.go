package sim

func settingsApp() App {
	return App{
		ID: "com.android.settings", Name: T("Settings", "设置"), Color: 0x5F6B7E, Icon: "gear",
		Values: map[string]string{
			"wifi": "true", "bluetooth": "true", "airplane": "false", "hotspot": "false", "data_saver": "false", "dark_theme": "false",
			"auto_brightness": "false", "brightness": "60", "volume": "50", "ring": "70", "vibrate": "true", "battery_saver": "false",
			"location": "true", "notifications": "true", "dnd": "false", "lock_screen": "swipe", "nfc": "false", "auto_rotate": "false",
			"developer": "false", "text_size": "2", "ringtone": "Aurora", "screen_timeout": "30",
		},
		Screens: []Screen{
			settingsHome(), settingsNetwork(), settingsDevices(), settingsDisplay(), settingsSound(), settingsBattery(),
			settingsLocation(), settingsSecurity(), settingsLanguage(), settingsAbout(), settingsNotifications(), settingsTimeout(), settingsRingtone(),
		},
		Dialogs: []Dialog{{
			ID: "reset", Title: T("Erase all data?", "清除所有数据?"),
			Text: T("This will erase everything on this phone. It cannot be undone.", "这将清除此手机上的所有内容,且无法恢复。"),
			Buttons: []Widget{
				{Kind: KindButton, ID: "android:button1", Text: T("Erase", "清除"), Color: 0xC93A3A, Do: []Effect{Emit("factory_reset")}},
				{Kind: KindButton, ID: "android:button2", Text: T("Cancel", "取消")},
			},
		}},
	}
}

const subSettings = "com.android.settings.SubSettings"

func settingsRow(id string, text, note Label, color uint32) Widget {
	return Widget{Kind: KindRow, ID: "row_" + id, Text: text, Note: note, Color: color, Do: []Effect{Go(id)}}
}

func settingsHome() Screen {
	return Screen{
		ID: "home", Title: T("Settings", "设置"), Page: "com.android.settings.Settings", Filter: "settings.query",
		Enter: []Effect{Set("settings.query", "")},
		Top: []Widget{{
			Kind: KindField, ID: "search_src_text", Key: "settings.query", Hint: T("Search settings", "搜索设置项"), Action: "search",
		}},
		Body: []Widget{
			settingsRow("network", T("Network & internet", "网络和互联网"), T("Wi-Fi, mobile, data usage", "WLAN、移动网络、流量"), 0x2E7DD7),
			{Kind: KindSwitch, ID: "row_bluetooth", Text: T("Bluetooth", "蓝牙"), Key: "bluetooth"},
			{Kind: KindSwitch, ID: "row_airplane", Text: T("Airplane mode", "飞行模式"), Key: "airplane", Do: []Effect{
				Set("bluetooth", "false").When("airplane"), Set("wifi", "false").When("airplane"),
			}},
			settingsRow("devices", T("Connected devices", "已连接的设备"), T("Bluetooth, NFC", "蓝牙、NFC"), 0x3C9D6B),
			settingsRow("notifications", T("Notifications", "通知"), T("Conversations, do not disturb", "对话、勿扰"), 0xD4663B),
			settingsRow("display", T("Display", "显示"), T("Dark theme, font size, brightness", "深色主题、字体大小、亮度"), 0xD9962B),
			settingsRow("sound", T("Sound & vibration", "声音和振动"), T("Volume, ringtone", "音量、铃声"), 0x8C5BC9),
			settingsRow("battery", T("Battery", "电池"), T("82%", ""), 0x4BA34B),
			settingsRow("location", T("Location", "位置信息"), T("Apps with access to your location", "可访问您位置信息的应用"), 0x2FA3A0),
			settingsRow("security", T("Security & privacy", "安全和隐私"), T("Screen lock, permissions", "屏幕锁定、权限"), 0x5573C8),
			{Kind: KindSwitch, ID: "row_dark_theme", Text: T("Dark theme", "深色主题"), Key: "dark_theme"},
			{Kind: KindSwitch, ID: "row_auto_rotate", Text: T("Auto-rotate screen", "自动旋转屏幕"), Key: "auto_rotate"},
			{Kind: KindSwitch, ID: "row_nfc", Text: T("NFC", ""), Key: "nfc"},
			settingsRow("language", T("Languages & input", "语言和输入法"), T("English", "简体中文"), 0x7A6A54),
			{Kind: KindSwitch, ID: "row_developer", Text: T("Developer options", "开发者选项"), Key: "developer"},
			settingsRow("about", T("About phone", "关于手机"), T("Sim One", ""), 0x66707F),
		},
	}
}

func settingsNetwork() Screen {
	return Screen{
		ID: "network", Title: T("Network & internet", "网络和互联网"), Page: subSettings,
		Body: []Widget{
			{Kind: KindSwitch, ID: "row_wifi", Text: T("Wi-Fi", "WLAN"), Note: T("Home network", "家庭网络"), Key: "wifi"},
			{Kind: KindSwitch, ID: "row_airplane", Text: T("Airplane mode", "飞行模式"), Key: "airplane"},
			{Kind: KindSwitch, ID: "row_hotspot", Text: T("Hotspot", "个人热点"), Key: "hotspot", Off: "airplane"},
			{Kind: KindSwitch, ID: "row_data_saver", Text: T("Data Saver", "流量节省程序"), Key: "data_saver"},
		},
	}
}

func settingsDevices() Screen {
	return Screen{
		ID: "devices", Title: T("Connected devices", "已连接的设备"), Page: subSettings,
		Body: []Widget{
			{Kind: KindSwitch, ID: "row_bluetooth", Text: T("Bluetooth", "蓝牙"), Key: "bluetooth"},
			{Kind: KindHeader, Text: T("Saved devices", "已保存的设备")},
			{Kind: KindRow, Text: T("Headphones", "耳机"), Note: T("Connected", "已连接"), If: "bluetooth"},
			{Kind: KindRow, Text: T("Car", "车载"), Note: T("Not connected", "未连接"), If: "bluetooth"},
			{Kind: KindText, Text: T("Turn on Bluetooth to see devices.", "打开蓝牙以查看设备。"), If: "!bluetooth"},
			{Kind: KindSwitch, ID: "row_nfc", Text: T("NFC", ""), Key: "nfc"},
		},
	}
}

func settingsDisplay() Screen {
	return Screen{
		ID: "display", Title: T("Display", "显示"), Page: subSettings,
		Body: []Widget{
			{Kind: KindSlider, ID: "brightness", Text: T("Brightness", "亮度"), Key: "brightness"},
			{Kind: KindSwitch, ID: "row_auto_brightness", Text: T("Adaptive brightness", "自动调节亮度"), Key: "auto_brightness"},
			{Kind: KindSwitch, ID: "row_dark_theme", Text: T("Dark theme", "深色主题"), Key: "dark_theme"},
			{Kind: KindSlider, ID: "text_size", Text: T("Font size", "字体大小"), Key: "text_size", Max: 4},
			settingsRow("timeout", T("Screen timeout", "自动锁屏"), T("{screen_timeout} seconds", "{screen_timeout} 秒"), 0),
		},
	}
}

func settingsTimeout() Screen {
	s := Screen{ID: "timeout", Title: T("Screen timeout", "自动锁屏"), Page: subSettings}
	for _, n := range []string{"15", "30", "60", "120", "600"} {
		s.Body = append(s.Body, Widget{Kind: KindRadio, ID: "timeout_" + n, Text: T(n+" seconds", n+" 秒"), Key: "screen_timeout", Value: n})
	}
	return s
}

func settingsSound() Screen {
	return Screen{
		ID: "sound", Title: T("Sound & vibration", "声音和振动"), Page: subSettings,
		Body: []Widget{
			{Kind: KindSlider, ID: "media_volume", Text: T("Media volume", "媒体音量"), Key: "volume"},
			{Kind: KindSlider, ID: "ring_volume", Text: T("Ring volume", "铃声音量"), Key: "ring"},
			{Kind: KindSwitch, ID: "row_vibrate", Text: T("Vibrate for calls", "来电振动"), Key: "vibrate"},
			settingsRow("ringtone", T("Phone ringtone", "手机铃声"), T("{ringtone}", ""), 0),
		},
	}
}

func settingsRingtone() Screen {
	s := Screen{ID: "ringtone", Title: T("Phone ringtone", "手机铃声"), Page: subSettings}
	for _, n := range []string{"Aurora", "Beacon", "Chime", "Drops", "Echo"} {
		s.Body = append(s.Body, Widget{Kind: KindRadio, Text: T(n, ""), Key: "ringtone", Value: n})
	}
	return s
}

func settingsBattery() Screen {
	return Screen{
		ID: "battery", Title: T("Battery", "电池"), Page: subSettings,
		Body: []Widget{
			{Kind: KindBig, ID: "level", Text: T("82%", "")},
			{Kind: KindText, Text: T("About 1 day left based on your usage", "根据您的使用情况,大约还可使用 1 天")},
			{Kind: KindSwitch, ID: "row_battery_saver", Text: T("Battery Saver", "省电模式"), Key: "battery_saver"},
		},
	}
}

func settingsLocation() Screen {
	return Screen{
		ID: "location", Title: T("Location", "位置信息"), Page: subSettings,
		Body: []Widget{
			{Kind: KindSwitch, ID: "row_location", Text: T("Use location", "使用位置信息"), Key: "location"},
			{Kind: KindHeader, Text: T("Recent access", "近期访问")},
			{Kind: KindRow, Text: T("Camera", "相机"), Note: T("Never", "从未"), If: "location"},
			{Kind: KindRow, Text: T("Browser", "浏览器"), Note: T("2 hours ago", "2 小时前"), If: "location"},
		},
	}
}

func settingsNotifications() Screen {
	return Screen{
		ID: "notifications", Title: T("Notifications", "通知"), Page: subSettings,
		Body: []Widget{
			{Kind: KindSwitch, ID: "row_notifications", Text: T("Allow notifications", "允许通知"), Key: "notifications"},
			{Kind: KindSwitch, ID: "row_dnd", Text: T("Do Not Disturb", "勿扰模式"), Key: "dnd"},
		},
	}
}

func settingsSecurity() Screen {
	return Screen{
		ID: "security", Title: T("Security & privacy", "安全和隐私"), Page: subSettings,
		Body: []Widget{
			{Kind: KindHeader, Text: T("Screen lock", "屏幕锁定")},
			{Kind: KindRadio, Text: T("None", "无"), Key: "lock_screen", Value: "none"},
			{Kind: KindRadio, Text: T("Swipe", "滑动"), Key: "lock_screen", Value: "swipe"},
			{Kind: KindHeader, Text: T("Reset", "重置")},
			{Kind: KindRow, ID: "row_reset", Text: T("Erase all data (factory reset)", "清除所有数据(恢复出厂设置)"), Do: []Effect{Ask("reset")}},
		},
	}
}

func settingsLanguage() Screen {
	return Screen{
		ID: "language", Title: T("Languages & input", "语言和输入法"), Page: subSettings,
		Body: []Widget{
			{Kind: KindRow, Text: T("Languages", "语言"), Note: T("English (United States)", "简体中文(中国)")},
			{Kind: KindRow, Text: T("On-screen keyboard", "屏幕键盘"), Note: T("Keyboard", "键盘")},
		},
	}
}

func settingsAbout() Screen {
	return Screen{
		ID: "about", Title: T("About phone", "关于手机"), Page: subSettings,
		Body: []Widget{
			{Kind: KindRow, Text: T("Device name", "设备名称"), Note: T("Sim One", "")},
			{Kind: KindRow, Text: T("Model", "型号"), Note: T("SIM-1", "")},
			{Kind: KindRow, Text: T("IP address", "IP 地址"), Note: T("192.0.2.17", "")},
			{Kind: KindRow, ID: "build_number", Text: T("Build number", "版本号"), Note: T("SIM1.2026.001", ""), Hold: []Effect{
				Copy("SIM1.2026.001"), Toast(T("Copied", "已复制")),
			}},
		},
	}
}
