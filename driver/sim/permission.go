package sim

// notificationDialog is the system's question whether an app may post notifications.
func notificationDialog(app Label) *Dialog {
	d := permissionDialog("notifications", app, T("send you notifications", "向您发送通知"))
	d.Buttons = []Widget{
		permit("notifications", "permission_allow_button", T("Allow", "允许"), "true"),
		permit("notifications", "permission_deny_button", T("Don't allow", "不允许"), "false"),
	}
	return d
}

// permissionDialog is the system's question whether an app may do something while it is in use.
func permissionDialog(permission string, app, what Label) *Dialog {
	return &Dialog{
		ID: "permission", System: true,
		Title: T("Allow "+app.En+" to "+what.En+"?", "是否允许“"+app.In(LangZh)+"”"+what.In(LangZh)+"?"),
		Buttons: []Widget{
			permit(permission, "permission_allow_foreground_only_button", T("While using the app", "仅在使用中允许"), "true"),
			permit(permission, "permission_allow_one_time_button", T("Only this time", "仅限这一次"), "true"),
			permit(permission, "permission_deny_button", T("Don't allow", "不允许"), "false"),
		},
	}
}

func permit(permission, id string, l Label, granted string) Widget {
	return Widget{Kind: KindButton, ID: id, Text: l, Do: []Effect{
		Set("permission."+permission, granted), Emit("permission", "name", permission, "granted", granted),
	}}
}
