package sim

func messagesApp() App {
	chat := func(name, zh, last, lastZh string) Entry {
		return Entry{"name": name, "zh": zh, "last": last, "lastzh": lastZh}
	}
	return App{
		ID: "com.android.messaging", Name: T("Messages", "信息"), Color: 0x2C6FE0, Icon: "bubble",
		Lists: map[string][]Entry{
			"chats": {
				chat("Alice", "爱丽丝", "See you tomorrow!", "明天见!"),
				chat("Bob", "鲍勃", "Did you get the tickets?", "票买到了吗?"),
				chat("Mum", "妈妈", "Call me when you can", "有空给我打电话"),
				chat("Team", "项目组", "Stand-up moved to 10:15", "晨会改到 10:15"),
				chat("Bank", "银行", "Your code is 481 516", "您的验证码是 481516"),
			},
			"chat:Alice": {
				{"from": "Alice", "text": "Hi! Are we still on for lunch?", "zh": "你好!中午还一起吃饭吗?"},
				{"from": "me", "text": "Sure, at noon?", "zh": "好的,十二点?"}, {"from": "Alice", "text": "See you tomorrow!", "zh": "明天见!"},
			},
			"chat:Bob":  {{"from": "Bob", "text": "Did you get the tickets?", "zh": "票买到了吗?"}},
			"chat:Mum":  {{"from": "Mum", "text": "Call me when you can", "zh": "有空给我打电话"}},
			"chat:Team": {{"from": "Team", "text": "Stand-up moved to 10:15", "zh": "晨会改到 10:15"}},
			"chat:Bank": {{"from": "Bank", "text": "Your code is 481 516", "zh": "您的验证码是 481516"}},
		},
		Screens: []Screen{
			{
				ID: "list", Title: T("Messages", "信息"), Page: "com.android.messaging.ui.conversationlist.ConversationListActivity",
				Body: []Widget{{
					Kind: KindRow, ID: "conversation", Each: "chats", Text: T("{.name}", "{.zh}"), Note: T("{.last}", "{.lastzh}"), Color: 0x7C8DB5,
					Do: []Effect{Set("chat", "{.name}"), Set("chat.zh", "{.zh}"), Go("chat")},
				}},
			},
			{
				ID: "chat", Title: T("{chat}", "{chat.zh}"), Page: "com.android.messaging.ui.conversation.ConversationActivity", AtEnd: true,
				Body: []Widget{{Kind: KindBubble, Each: "chat:{chat}", Text: T("{.text}", "{.zh}")}},
				Bottom: []Widget{
					{
						Kind: KindField, ID: "compose_message_text", Key: "draft:{chat}", Hint: T("Text message", "短信"), Action: "send",
						Do: sendMessage(),
					},
					{Kind: KindButton, ID: "send_message_button", Text: T("Send", "发送"), Desc: T("Send message", "发送信息"), Do: sendMessage(), Off: "!draft:{chat}"},
				},
			},
		},
	}
}

// sendMessage sends the draft of the open chat, if there is one.
func sendMessage() []Effect {
	const some = "draft:{chat}"
	return []Effect{
		Append("chat:{chat}", "from", "me", "text", "{draft:{chat}}", "zh", "{draft:{chat}}").When(some),
		Emit("message_sent", "to", "{chat}", "text", "{draft:{chat}}").When(some),
		Set("draft:{chat}", ""),
	}
}

func shopApp() App {
	product := func(name, zh, price string) Entry { return Entry{"name": name, "zh": zh, "price": price} }
	return App{
		ID: "com.handset.shop", Name: T("Shop", "商城"), Color: 0xD9532C, Icon: "bag",
		Lists: map[string][]Entry{"products": {
			product("Green tea", "绿茶", "12.50"), product("Coffee beans", "咖啡豆", "48.00"), product("Headphones", "耳机", "199.00"),
			product("Phone case", "手机壳", "29.90"), product("Umbrella", "雨伞", "35.00"), product("Notebook", "笔记本", "8.80"),
			product("Desk lamp", "台灯", "119.00"), product("Water bottle", "水杯", "45.00"), product("Backpack", "背包", "259.00"),
			product("Socks", "袜子", "9.90"), product("Chocolate", "巧克力", "22.00"), product("Charger", "充电器", "69.00"),
		}},
		Screens: []Screen{shopHome(), shopCart(), shopPay(), shopDone()},
		Dialogs: []Dialog{{
			ID: "empty", Title: T("Empty the cart?", "清空购物车?"),
			Buttons: []Widget{
				{Kind: KindButton, ID: "android:button1", Text: T("Empty", "清空"), Do: []Effect{Empty("cart"), Emit("cart_emptied")}},
				{Kind: KindButton, ID: "android:button2", Text: T("Cancel", "取消")},
			},
		}},
	}
}

func shopHome() Screen {
	return Screen{
		ID: "products", Title: T("Shop", "商城"), Page: "com.handset.shop.MainActivity", Filter: "shop.query",
		Actions: []Widget{{Kind: KindButton, ID: "cart_button", Text: T("Cart ({#cart})", "购物车({#cart})"), Do: []Effect{Go("cart")}}},
		Top:     []Widget{{Kind: KindField, ID: "search", Key: "shop.query", Hint: T("Search products", "搜索商品"), Action: "search"}},
		Body: []Widget{{
			Kind: KindRow, ID: "product", Each: "products", Text: T("{.name}", "{.zh}"), Note: T("¥{.price}", ""), Color: 0xC98A5B,
			More: []Widget{{Kind: KindButton, ID: "add_button", Text: T("Add", "加入"), Do: []Effect{
				Append("cart", "name", "{.name}", "zh", "{.zh}", "price", "{.price}"), Emit("cart_added", "item", "{.name}", "price", "{.price}"),
				Toast(T("Added to cart", "已加入购物车")),
			}}},
		}},
	}
}

func shopCart() Screen {
	return Screen{
		ID: "cart", Title: T("Cart", "购物车"), Page: "com.handset.shop.CartActivity",
		Actions: []Widget{{Kind: KindButton, ID: "empty_button", Text: T("Empty", "清空"), Color: 0x8A8F99, If: "#cart", Do: []Effect{Ask("empty")}}},
		Body: []Widget{
			{Kind: KindText, ID: "empty_text", If: "!#cart", Text: T("Your cart is empty.", "购物车是空的。")},
			{
				Kind: KindRow, ID: "item", Each: "cart", Text: T("{.name}", "{.zh}"), Note: T("¥{.price}", ""), Color: 0xC98A5B,
				More: []Widget{{Kind: KindButton, ID: "remove_button", Text: T("Remove", "删除"), Color: 0x8A8F99, Do: []Effect{
					Emit("cart_removed", "item", "{.name}"), Remove("cart"),
				}}},
			},
		},
		Bottom: []Widget{
			{Kind: KindText, ID: "total", Text: T("Total ¥{+cart.price}", "合计 ¥{+cart.price}")},
			{Kind: KindButton, ID: "pay_button", Text: T("Pay", "去支付"), Color: 0xD9532C, Off: "!#cart", Do: []Effect{Go("pay")}},
		},
	}
}

func shopPay() Screen {
	return Screen{
		ID: "pay", Title: T("Payment", "支付"), Page: "com.handset.shop.PayActivity",
		Body: []Widget{
			{Kind: KindText, Text: T("Amount to pay", "应付金额")},
			{Kind: KindBig, ID: "amount", Text: T("¥{+cart.price}", "")},
			{Kind: KindHeader, Text: T("Payment method", "支付方式")},
			{Kind: KindRadio, Text: T("Bank card (1234)", "银行卡(1234)"), Key: "pay.method", Value: "card"},
			{Kind: KindRadio, Text: T("Balance", "余额"), Key: "pay.method", Value: "balance"},
			{Kind: KindCheck, ID: "receipt", Text: T("Send me a receipt", "需要发票"), Key: "pay.receipt"},
		},
		Enter: []Effect{Set("pay.method", "card").When("!pay.method")},
		Bottom: []Widget{
			{Kind: KindButton, ID: "cancel_button", Text: T("Cancel", "取消"), Color: 0x8A8F99, Do: []Effect{Back()}},
			{Kind: KindButton, ID: "confirm_pay_button", Text: T("Confirm payment", "确认支付"), Color: 0xD9532C, Do: []Effect{
				Emit("payment", "amount", "{+cart.price}", "items", "{#cart}", "method", "{pay.method}"),
				Set("pay.last", "{+cart.price}"), Empty("cart"), Root(), Go("done"),
			}},
		},
	}
}

func shopDone() Screen {
	return Screen{
		ID: "done", Title: T("Payment", "支付"), Page: "com.handset.shop.DoneActivity",
		Body: []Widget{
			{Kind: KindBig, Text: T("✓", "")},
			{Kind: KindText, ID: "result", Text: T("Paid ¥{pay.last}. Thank you!", "已支付 ¥{pay.last}。谢谢!")},
			{Kind: KindButton, ID: "done_button", Text: T("Done", "完成"), Do: []Effect{Root()}},
		},
	}
}

func clockApp() App {
	return App{
		ID: "com.android.deskclock", Name: T("Clock", "时钟"), Color: 0x3A3F9E, Icon: "clock",
		Values: map[string]string{"alarm.0700": "true", "alarm.0830": "false", "alarm.1000": "false", "snooze": "10", "timer": "5"},
		Lists: map[string][]Entry{"cities": {
			{"name": "London", "zh": "伦敦", "time": "04:30"}, {"name": "Beijing", "zh": "北京", "time": "12:30"},
			{"name": "New York", "zh": "纽约", "time": "23:30"}, {"name": "Sydney", "zh": "悉尼", "time": "15:30"},
		}},
		Screens: []Screen{
			{
				ID: "alarms", Title: T("Alarms", "闹钟"), Page: "com.android.deskclock.DeskClock",
				Actions: []Widget{
					{Kind: KindButton, ID: "world_tab", Text: T("World", "世界"), Do: []Effect{Go("world")}},
					{Kind: KindButton, ID: "timer_tab", Text: T("Timer", "计时"), Do: []Effect{Go("timer")}},
				},
				Body: []Widget{
					{Kind: KindSwitch, ID: "alarm_0700", Text: T("07:00", ""), Note: T("Every weekday", "工作日"), Key: "alarm.0700"},
					{Kind: KindSwitch, ID: "alarm_0830", Text: T("08:30", ""), Note: T("Weekend", "周末"), Key: "alarm.0830"},
					{Kind: KindSwitch, ID: "alarm_1000", Text: T("10:00", ""), Note: T("Once", "一次"), Key: "alarm.1000"},
					{Kind: KindSlider, ID: "snooze_length", Text: T("Snooze length (minutes)", "再响间隔(分钟)"), Key: "snooze", Max: 30},
				},
			},
			{
				ID: "world", Title: T("World clock", "世界时钟"), Page: "com.android.deskclock.WorldClock",
				Body: []Widget{{
					Kind: KindRow, ID: "city", Each: "cities", Text: T("{.name}", "{.zh}"), Sorts: true,
					More: []Widget{{Kind: KindText, ID: "time", Text: T("{.time}", "")}},
				}},
			},
			{
				ID: "timer", Title: T("Timer", "计时器"), Page: "com.android.deskclock.Timer",
				Body: []Widget{
					{Kind: KindBig, ID: "time_left", Text: T("{timer}:00", "")},
					{Kind: KindSlider, ID: "minutes", Text: T("Minutes", "分钟"), Key: "timer", Max: 60},
					{Kind: KindButton, ID: "start_button", If: "!timer.running", Text: T("Start", "开始"), Do: []Effect{
						Set("timer.running", "true"), Emit("timer_started", "minutes", "{timer}"),
					}},
					{Kind: KindButton, ID: "stop_button", If: "timer.running", Text: T("Stop", "停止"), Color: 0xC93A3A, Do: []Effect{
						Set("timer.running", "false"), Emit("timer_stopped"),
					}},
				},
			},
		},
	}
}

func notesApp() App {
	return App{
		ID: "com.handset.notes", Name: T("Notes", "笔记"), Color: 0xE0A92E, Icon: "pencil",
		Lists: map[string][]Entry{"notes": {
			{"text": "Shopping: milk, bread, tea", "zh": "购物:牛奶、面包、茶"}, {"text": "Book the dentist", "zh": "预约牙医"},
		}},
		Screens: []Screen{
			{
				ID: "list", Title: T("Notes", "笔记"), Page: "com.handset.notes.MainActivity",
				Actions: []Widget{{Kind: KindButton, ID: "new_button", Text: T("New note", "新建"), Do: []Effect{Set("note", ""), Go("edit")}}},
				Body: []Widget{{
					Kind: KindRow, ID: "note", Each: "notes", Text: T("{.text}", "{.zh}"),
					Hold: []Effect{Emit("note_deleted", "text", "{.text}"), Remove("notes"), Toast(T("Deleted", "已删除"))},
				}},
			},
			{
				ID: "edit", Title: T("New note", "新建笔记"), Page: "com.handset.notes.EditActivity",
				Actions: []Widget{{Kind: KindButton, ID: "save_button", Text: T("Save", "保存"), Off: "!note", Do: []Effect{
					Append("notes", "text", "{note}", "zh", "{note}"), Emit("note_saved", "text", "{note}"), Set("note", ""), Back(),
				}}},
				Body: []Widget{{Kind: KindField, ID: "note_text", Key: "note", Many: true, Hint: T("Write something", "写点什么")}},
			},
		},
	}
}

// browserApp is a page that draws by itself: nothing of it is in the tree.
func browserApp() App {
	return App{
		ID: "com.android.browser", Name: T("Browser", "浏览器"), Color: 0x2E9E8F, Icon: "globe",
		Values: map[string]string{"browser.url": "https://example.com/", "browser.zoom": "1", "browser.likes": "0"},
		Screens: []Screen{{
			ID: "page", Page: "com.android.browser.BrowserActivity", Bare: true,
			Top: []Widget{{Kind: KindField, ID: "url", Key: "browser.url", Hint: T("Search or type a URL", "搜索或输入网址"), Action: "go", Do: []Effect{
				Emit("url", "url", "{browser.url}"),
			}}},
			Body: []Widget{{
				Kind: KindCanvas, ID: "webview", Value: "web", Key: "browser.zoom",
				Double: []Effect{Emit("page_zoomed")},
				More: []Widget{
					{Kind: KindBig, Text: T("Hello", "你好")},
					{Kind: KindText, Text: T("This page draws by itself. Its zoom is {browser.zoom}.", "此页面自行绘制。缩放比例为 {browser.zoom}。")},
					{Kind: KindImage, Text: T("Photo", "照片"), Color: 0x5AA0C8},
					{Kind: KindButton, Text: T("Accept cookies", "接受 Cookie"), If: "!browser.cookies", Do: []Effect{
						Set("browser.cookies", "true"), Emit("cookies_accepted"),
					}},
					{Kind: KindButton, Text: T("Like ({browser.likes})", "点赞({browser.likes})"), Color: 0xC9527A, Do: []Effect{
						Set("browser.likes", "1"), Emit("liked"),
					}},
				},
			}},
		}},
	}
}

// walletApp is a page that the system protects from capture.
func walletApp() App {
	return App{
		ID: "com.handset.wallet", Name: T("Wallet", "钱包"), Color: 0x2B7A4B, Icon: "wallet",
		Screens: []Screen{
			{
				ID: "balance", Title: T("Wallet", "钱包"), Page: "com.handset.wallet.MainActivity", Secure: true,
				Body: []Widget{
					{Kind: KindText, Text: T("Balance", "余额")},
					{Kind: KindBig, ID: "balance", Text: T("¥1,024.00", "")},
					{Kind: KindRow, ID: "row_transfer", Text: T("Transfer", "转账"), Do: []Effect{Go("transfer")}},
				},
			},
			{
				ID: "transfer", Title: T("Transfer", "转账"), Page: "com.handset.wallet.TransferActivity", Secure: true,
				Enter: []Effect{Set("transfer.pin", "")},
				Body: []Widget{
					{Kind: KindField, ID: "payee", Key: "transfer.to", Hint: T("To", "收款人"), Action: "next"},
					{Kind: KindField, ID: "amount", Key: "transfer.amount", Hint: T("Amount", "金额"), Action: "next"},
					{Kind: KindField, ID: "pin", Key: "transfer.pin", Hint: T("PIN", "密码"), Secret: true},
					{Kind: KindButton, ID: "transfer_button", Text: T("Transfer", "转账"), Off: "!transfer.pin", Do: []Effect{
						Emit("transfer", "to", "{transfer.to}", "amount", "{transfer.amount}"), Set("transfer.pin", ""), Back(),
					}},
				},
			},
		},
	}
}

// cameraApp asks for a permission when it starts.
func cameraApp() App {
	return App{
		ID: "com.android.camera2", Name: T("Camera", "相机"), Color: 0x4A4F5C, Icon: "camera",
		Screens: []Screen{{
			ID: "viewfinder", Title: T("Camera", "相机"), Page: "com.android.camera.CameraLauncher",
			Enter: []Effect{Ask("permission").When("!permission.camera")},
			Body: []Widget{
				{Kind: KindText, ID: "denied", If: "permission.camera!=true", Text: T("The camera needs your permission.", "相机需要您的授权。")},
				{Kind: KindImage, ID: "preview", Text: T("☁", ""), Desc: T("Viewfinder", "取景器"), Color: 0x3B6EA5, If: "permission.camera=true"},
				{Kind: KindButton, ID: "shutter_button", Text: T("Take photo", "拍照"), If: "permission.camera=true", Do: []Effect{
					Append("photos", "name", "photo"), Emit("photo_taken", "count", "{#photos}"), Toast(T("Saved", "已保存")),
				}},
				{Kind: KindRow, ID: "photos", Text: T("Photos", "照片"), Note: T("{#photos}", "")},
			},
		}},
		Dialogs: []Dialog{*permissionDialog("camera", T("Camera", "相机"), T("take pictures and record video", "拍照和录制视频"))},
	}
}

// mailApp is installed twice, under one name.
func mailApp(id, account string) App {
	return App{
		ID: id, Name: T("Mail", "邮件"), Color: 0xA8443E, Icon: "mail",
		Screens: []Screen{{
			ID: "inbox", Title: T("Inbox", "收件箱"), Page: id + ".InboxActivity",
			Body: []Widget{
				{Kind: KindHeader, Text: T(account, "")},
				{Kind: KindRow, Text: T("Welcome", "欢迎"), Note: T("Your mailbox is ready", "您的邮箱已可使用")},
			},
		}},
	}
}
