package apps_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		name, platform, app string
		want                []string
	}{
		{"a Chinese name", apps.Android, "微信", []string{"com.tencent.mm"}},
		{"another spelling", apps.Android, "android_SYSTEM-settings", []string{"com.android.settings"}},
		{"two spaces", apps.Android, "Android  System Settings", []string{"com.android.settings"}},
		{"the settings in Chinese", apps.Android, "设置", []string{"com.android.settings"}},
		{"two names of one app", apps.Android, "X", []string{"com.twitter.android"}},
		{"several makers", apps.Android, "Calculator", []string{
			"com.android.calculator2", "com.google.android.calculator", "com.miui.calculator", "com.sec.android.app.popupcalculator",
		}},
		{"harmony", apps.Harmony, "淘宝", []string{"com.taobao.taobao4hmos"}},
		{"ios", apps.IOS, "wechat", []string{"com.tencent.xin"}},
		{"ios in Chinese", apps.IOS, "支付宝", []string{"com.alipay.iphoneclient"}},
		{"unknown", apps.Android, "no such app", nil},
		{"empty", apps.Android, "", nil},
		{"another platform", "toaster", "微信", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, apps.Lookup(tt.platform, tt.app)) })
	}
}

// TestCorrections holds the mistakes that the tables came with.
func TestCorrections(t *testing.T) {
	require.Equal(t, []string{"com.simplemobiletools.calendar.pro"}, apps.Lookup(apps.Android, "SimpleCalendarPro"))
	require.Equal(t, []string{"com.meitu.mtxx"}, apps.Lookup(apps.IOS, "美图秀秀"))
	require.Empty(t, apps.Lookup(apps.IOS, "美团秀秀"))
	require.Equal(t, []string{"com.netease.mailmaster"}, apps.Lookup(apps.IOS, "网易邮箱大师"))
	require.Empty(t, apps.Lookup(apps.IOS, "有道云笔记"))
	require.Equal(t, []string{"com.ohos.contacts"}, apps.Lookup(apps.Harmony, "电话"))
	for _, bundle := range []string{"com.huawei.hmos.screenrecorder", "com.huawei.hmos.screenshot", "com.huawei.hmos.vassistant", "com.ohos.callui"} {
		require.Empty(t, apps.Ability(bundle), bundle)
	}
	require.Equal(t, "com.ohos.contacts.MainAbility", apps.Ability("com.ohos.contacts"))
	require.Equal(t, "Google Slides", apps.NameOf(apps.Android, "com.google.android.apps.docs.editors.slides", ""))
	require.Equal(t, "WhatsApp Business", apps.NameOf(apps.Android, "com.whatsapp.w4b", ""))
}

func TestNameOf(t *testing.T) {
	tests := []struct{ platform, id, lang, want string }{
		{apps.Android, "com.tencent.mm", "", "微信"},
		{apps.Android, "com.tencent.mm", "en", "WeChat"},
		{apps.Android, "com.android.settings", "zh", "设置"},
		{apps.Android, "com.android.settings", "en", "Settings"},
		{apps.Android, "com.google.android.apps.docs.editors.docs", "en", "Google Docs"},
		{apps.Android, "com.booking", "zh", "Booking.com"},
		{apps.Harmony, "com.huawei.hmos.settings", "en", "Settings"},
		{apps.IOS, "com.apple.facetime", "", "Facetime"},
		{apps.Android, "com.example.unknown", "", ""},
		{"toaster", "com.tencent.mm", "", ""},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, apps.NameOf(tt.platform, tt.id, tt.lang), "%s %s", tt.id, tt.lang)
	}
}

// TestTables reads the tables themselves: clean names, and ids that a shell cannot misread.
func TestTables(t *testing.T) {
	id := regexp.MustCompile(`^[A-Za-z0-9][\w.-]*$`)
	for _, platform := range []string{apps.Android, apps.Harmony, apps.IOS} {
		n := 0
		for name, ids := range apps.All(platform) {
			n++
			require.Equal(t, strings.Join(strings.Fields(name), " "), name)
			require.NotEmpty(t, driver.FoldName(name))
			for _, i := range ids {
				require.Regexp(t, id, i)
				require.NotEmpty(t, apps.NameOf(platform, i, "en"))
			}
		}
		require.Greater(t, n, 100, platform)
	}
}

func TestSystemAppsHaveEnglishNames(t *testing.T) {
	for _, c := range []struct{ platform, name, id string }{
		{apps.Harmony, "Messages", "com.ohos.mms"},
		{apps.Harmony, "Clock", "com.huawei.hmos.clock"},
		{apps.Harmony, "Phone", "com.ohos.contacts"},
		{apps.IOS, "Settings", "com.apple.Preferences"},
		{apps.IOS, "Messages", "com.apple.MobileSMS"},
		{apps.IOS, "find my", "com.apple.findmy"},
	} {
		require.Equal(t, []string{c.id}, apps.Lookup(c.platform, c.name), c.name)
	}
}
