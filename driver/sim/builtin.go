package sim

// builtinApps are the apps of every phone; the first is the launcher.
func builtinApps(f *face) []App {
	if f == nil {
		f = faces[PlatformAndroid]
	}
	apps := []App{
		settingsApp(), messagesApp(), shopApp(), clockApp(), notesApp(), browserApp(), walletApp(), cameraApp(),
		mailApp("com.handset.mail", "me@example.com"), mailApp("com.handset.workmail", "me@work.example"),
	}
	for i := range apps {
		android := apps[i].ID
		apps[i].ID = f.appID(android)
		if page, ok := f.pages[android]; ok {
			apps[i].Screens[0].Page = page
		}
	}
	return append([]App{launcherApp(f)}, apps...)
}

// launcherApp shows an icon for each app; New fills the list.
func launcherApp(f *face) App {
	return App{
		ID: f.appID("com.android.launcher3"), Name: T("Launcher", "桌面"), Hidden: true, Color: 0x334466,
		Screens: []Screen{
			{
				ID: "home", Page: "com.android.launcher3.uioverrides.QuickstepLauncher", Bare: true, Grid: true,
				Body: []Widget{{
					Kind: KindIcon, Each: "icons", Text: T("{.en}", "{.zh}"), Do: []Effect{OpenApp("{.id}")},
				}},
			},
			{
				ID: "recents", Title: T("Recent apps", "最近任务"), Page: "com.android.quickstep.RecentsActivity",
				Body: []Widget{
					{Kind: KindRow, Each: "recents", ID: "task", Text: T("{.name}", ""), Do: []Effect{OpenApp("{.id}")}},
					{Kind: KindText, If: "!#recents", Text: T("No recent apps", "没有最近任务")},
				},
			},
		},
	}
}
