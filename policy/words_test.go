package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSensitiveWord(t *testing.T) {
	for what, labels := range map[string][]string{
		"a payment": {"Pay", "PAY NOW", "Pay $10.00", "Pay ¥128", "pay with card", "Confirm payment", "Complete your purchase", "Place order", "Submit order",
			"支付", "立即支付", "确认支付 ¥128.00", "去付款", "确认付款", "提交订单", "立即下单", "确认收货", "免密支付", "结账", "去结账", "下单", "立即续费", "立即借款", "确认购票",
			"Confirm $12.50", "Subscribe · $9.99/mo", "Book now for €120", "Tip ¥5", "Checkout", "Cash out", "Renew subscription", "送出訂單"},
		"a purchase":              {"立即开通 ¥25", "开通会员", "Buy", "Buy now", "Buy with Google Pay", "Purchase for $3", "Top up", "立即购买", "充值"},
		"a transfer":              {"Transfer", "Transfer money", "Send money", "Send $20", "Withdraw", "Confirm transfer", "转账", "确认转账", "发红包", "提现到银行卡"},
		"a deletion":              {"Delete", "Delete account", "DELETE ALL", "Erase everything", "Empty trash", "Clear data", "Close my account", "删除", "确认删除", "删除联系人", "清空购物车", "Clear history", "Clear browsing data", "清除历史记录"},
		"an uninstallation":       {"Uninstall", "Uninstall app?", "卸载", "卸载应用"},
		"a reset":                 {"Factory reset", "Factory data reset", "Reset all settings", "恢复出厂设置"},
		"a payment or a deletion": {"Agree and pay", "Confirm & pay", "Slide to pay", "Swipe to delete", "Yes, delete", "OK, pay"},
	} {
		for _, l := range labels {
			require.Equal(t, what, sensitiveWord(l), "%q", l)
		}
	}
	for _, l := range []string{
		"🗑 Delete", "🗑️Delete", "\u200bDelete", "[Delete]", "“Delete”", "Ｐａｙ", "D\u00adelete", "Move to the trash", "Move to recycle bin", "Proceed to pay", "→ Pay ¥1",
		"支 付", "立 即 支 付", "\u2060支\u2060付", "刪除", "轉帳", "購買", "解除安裝", "删除记录",
	} {
		require.NotEmpty(t, sensitiveWord(l), "%q", l)
	}
	for _, l := range []string{
		"", "…", "Payload", "Display", "Display & brightness", "PayPal", "Google Pay", "Apple Pay", "Payment methods", "Payments", "Repayment plan", "Pay attention to traffic",
		"Pay-per-view", "Payslip", "Deleted items", "Recently deleted", "Transfers", "Transfer history", "Buyer protection", "Buying guide", "Send", "Send message",
		"Transferable", "Formatting", "Reset zoom", "How to pay", "Ways to pay", "Network & internet", "Bluetooth", "Settings", "OK", "Continue", "Confirm",
		"支付宝", "支付方式", "待付款", "已支付", "收付款", "最近删除", "转账记录", "购买记录", "设置", "发送", "确定", "关于手机", "显示",
		"Subscribe", "Join", "Check out our new features", "Checkout history", "Start", "Book club", "Clear all", "Clear cache", "Renew", "Confirm your email. It costs $0", "$4.99",
		"自动续费管理", "下单时间", "已下单", "购票须知", "借款记录", "清除缓存", "去结算", "订阅",
		"I will pay you back tomorrow, thanks for the lunch and see you", "昨天我已经把钱转账给你了你看看有没有收到如果没有收到再告诉我",
	} {
		require.Equal(t, "", sensitiveWord(l), "%q", l)
	}
}

func TestSensitiveID(t *testing.T) {
	for _, id := range []string{"com.shop:id/btn_pay", "com.shop:id/btnPay", "payButton", "delete", "confirm-transfer", "doUninstallNow"} {
		require.NotEmpty(t, sensitiveID(id), id)
	}
	for _, id := range []string{"", "payload", "display", "com.pay:id/title", "replay", "btnPayload", "deleted_items", "buyer"} {
		require.Empty(t, sensitiveID(id), id)
	}
}

func TestSensitiveQuestion(t *testing.T) {
	for _, q := range []string{
		"Delete this note?", "Erase all data?", "Are you sure you want to delete the conversation with Alice and all of its 312 messages?", "Do you want to pay ¥12.50?",
		"清除所有数据?", "确定要删除这条笔记吗?", "是否支付 ¥12.50?", "您确定要将以下三十二个联系人从手机和云端删除吗?",
	} {
		require.NotEmpty(t, sensitiveQuestion(q), "%q", q)
	}
	for _, q := range []string{
		"", "Turn on Bluetooth?", "Are you sure you want to leave?", "Allow Maps to use your location?", "确定要退出吗?", "是否打开蓝牙?", "Payment methods",
	} {
		require.Empty(t, sensitiveQuestion(q), "%q", q)
	}
	for _, l := range []string{"OK", "Yes", "确定", "清除", "Continue", "Yes, I'm sure", "OK, got it", "是的,删掉吧"} {
		require.True(t, isYes(l), l)
	}
	for _, l := range []string{"", "Cancel", "No", "取消", "Okra", "Yesterday", "OK?", "确定性"} {
		require.False(t, isYes(l), l)
	}
}
