package policy

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A button is short. What is longer than this, in runes, is an article, a message or a list row.
const (
	longestEnglish = 48
	longestChinese = 24
)

// englishSensitive are the beginnings, and a few middles, of labels that spend, send away or destroy.
// They match whole words: "Payload" and "Display" do not pay.
var englishSensitive = []struct {
	what string
	re   *regexp.Regexp
}{
	{"a payment", regexp.MustCompile(`^(?:re)?pay\b|\bpay now\b|^(?:confirm|complete|make|submit|authori[sz]e|approve|finish)(?: the| your| my| this)? (?:payment|purchase|order|transaction)\b|^(?:place|submit)(?: the| your| my)? order\b|^order now\b|^(?:1|one)[- ](?:tap|click) buy`)},
	{"a payment", regexp.MustCompile(`^(?:confirm|continue|submit|accept|approve|agree|subscribe|renew|upgrade|unlock|join|start|book|reserve|rent|tip|deposit|invest)\b[^.]{0,24}?[$€£¥] ?\d|^(?:check ?out|cash out)(?:$| now\b|\W*\d)|^renew(?: my| your| this)? (?:subscription|membership|plan)\b`)},
	{"a purchase", regexp.MustCompile(`^buy\b|^purchase(?:$| now| for| with|\W*\d)|^(?:top ?up|recharge|donate)\b`)},
	{"a transfer", regexp.MustCompile(`^transfer(?:$| now| money| funds| cash| to\b|\W*\d)|^(?:confirm|complete|approve|make)(?: the| your| my| this)? transfer\b|^send (?:money|cash|payment|gift|red packet|[¥$€£]|\d)|^withdraw\b|^wire\b`)},
	{"a deletion", regexp.MustCompile(`^(?:permanently )?(?:delete|erase|wipe)\b|^empty (?:the )?(?:trash|bin|recycle bin)\b|^clear (?:all )?(?:data|storage|browsing data|(?:browsing |search |chat |call )?history|chats?|messages)\b|^move to (?:the )?(?:trash|bin|recycle bin)\b|^(?:close|deactivate|remove)(?: my| your| this)? account\b|^format\b.*\b(?:card|storage|phone|device)\b`)},
	{"an uninstallation", regexp.MustCompile(`^uninstall\b`)},
	{"a reset", regexp.MustCompile(`^(?:factory|master) (?:data )?reset\b|^reset (?:phone|device|all|everything|network)\b`)},
	{"a payment or a deletion", regexp.MustCompile(`^(?:yes|ok|confirm|agree|continue|proceed|next|accept|sign|review|slide|swipe|tap|press|hold|click|double tap)\b[^.]{0,24}(?:\b(?:and|to)|&) (?:pay|transfer|buy|purchase|send money|delete|erase|reset)\b|^(?:yes|ok|confirm|next)[,:]? (?:pay|transfer|buy|purchase|delete|erase|uninstall|reset)\b`)},
}

// englishHarmless are labels that begin like those above and only tell, or lead to a page that tells.
var englishHarmless = regexp.MustCompile(`^pay(?:-| (?:attention|tribute|scale|rate|period|stub|slip|grade|calculator|history|later info)|pal\b)|^buy(?:ing)? (?:guide|list|history|menu)|^(?:delete|erase) (?:key|history setting)|^transfer history`)

// chineseSensitive are words, anywhere in a short label, that spend, send away or destroy.
var chineseSensitive = []struct {
	what  string
	words []string
}{
	{"a payment", []string{"支付", "付款", "付费", "买单", "缴费", "还款", "确认收货", "提交订单", "下单", "结账", "续费", "付钱", "付定金", "購票", "购票",
		"借款", "捐款", "打款", "結帳", "繳費", "買單", "提交訂單", "送出訂單", "確認訂單", "下單", "續費"}},
	{"a purchase", []string{"购买", "购入", "充值", "打赏", "抢购", "开通会员", "立即开通", "确认开通", "購買", "儲值"}},
	{"a transfer", []string{"转账", "转帐", "确认转出", "汇款", "提现", "发红包", "塞钱进红包", "轉帳", "轉賬", "匯款", "提現", "發紅包"}},
	{"a deletion", []string{"删除", "清空", "清除数据", "清除全部", "抹掉", "抹除", "永久移除", "注销账", "清除历史", "清除浏览", "清除聊天", "格式化", "刪除", "清除資料", "註銷"}},
	{"an uninstallation", []string{"卸载", "卸載", "解除安裝"}},
	{"a reset", []string{"恢复出厂", "还原所有设置", "恢復原廠"}},
}

// chineseHarmless are phrases with such a word that only tell, or name a page.
var chineseHarmless = func() *strings.Replacer {
	var pairs []string
	for _, s := range []string{
		"支付宝", "支付方式", "支付设置", "支付记录", "支付管理", "支付安全", "待支付", "已支付", "未支付", "支付成功", "支付完成", "支付失败",
		"付款方式", "付款记录", "待付款", "已付款", "未付款", "付款成功", "付款失败", "收付款", "转账记录", "转账成功", "已转账", "已删除", "最近删除",
		"删除成功", "已刪除", "最近刪除", "购买记录", "已购买", "购买须知", "充值记录", "充值成功", "提现记录", "提现成功", "还款记录", "还款日", "缴费记录", "已清空",
		"已下单", "未下单", "下单时间", "下单成功", "已结账", "待结账", "自动续费", "续费管理", "续费记录", "购票须知", "购票记录", "已购票", "借款记录", "捐款记录", "抢购时间", "已开通会员",
	} {
		pairs = append(pairs, s, " ")
	}
	return strings.NewReplacer(pairs...)
}()

// sensitiveWord says what a label looks like, such as "a payment", or "" for nothing sensitive.
func sensitiveWord(label string) string {
	label = plainLabel(label)
	n := utf8.RuneCountInString(label)
	if n <= longestEnglish && !englishHarmless.MatchString(label) {
		for _, s := range englishSensitive {
			if s.re.MatchString(label) {
				return s.what
			}
		}
	}
	if n > longestChinese || !hasHan(label) {
		return ""
	}
	label = chineseHarmless.Replace(label)
	for _, s := range chineseSensitive {
		for _, w := range s.words {
			if strings.Contains(label, w) {
				return s.what
			}
		}
	}
	return ""
}

// yes matches the labels of buttons that only agree, "Yes, I am sure" too.
var yes = regexp.MustCompile(`^(?:ok|okay|yes|confirm|continue|proceed|agree|accept|allow|done|sure|got it|remove|clear|submit|next|确定|确认|是|是的|好|好的|继续|同意|允许|清除|移除|下一步|提交|確定|確認|繼續)[.!。!]?$|^(?:yes|ok|okay|sure)\b[^?]{0,24}$|^(?:是的?|好的?|确定|确认)[,,!].{0,8}$`)

// commits matches the yeses that, beside an amount of money, spend it; amount matches one.
var (
	commits = regexp.MustCompile(`^(?:ok|okay|yes|confirm|continue|proceed|agree|accept|submit|确定|确认|是的?|同意|提交|確定|確認)[.!。!]?$`)
	amount  = regexp.MustCompile(`[$€£¥\x{ffe5}] ?\d|\d ?(?:元|円|(?:usd|eur|rmb)\b)`)
)

func isYes(label string) bool { return yes.MatchString(plainLabel(label)) }

// spends says that a button says yes to an amount that stands beside it.
func spends(label, beside string) bool {
	return commits.MatchString(plainLabel(label)) && utf8.RuneCountInString(beside) <= longestQuestion && amount.MatchString(strings.ToLower(beside))
}

// asks matches what a question begins with; what is asked for follows.
var asks = regexp.MustCompile(`^(?:are you sure(?: that)?(?: you (?:want|wish|would like) to)?|do you (?:really |still )?want to|would you like to|you are about to|really|this will|[你您]?(?:确定|确认)要?|是否要?|将要|即将)[ ,:]*`)

// longestQuestion is, in runes, how much a dialog asks at most.
const longestQuestion = 160

// sensitiveQuestion says what the text of a dialog asks about, such as "a deletion", or "".
func sensitiveQuestion(text string) string {
	if utf8.RuneCountInString(text) > longestQuestion {
		return ""
	}
	label := plainLabel(text)
	if strings.Contains(label, "清除所有") || strings.Contains(label, "清除全部") {
		return "a deletion"
	}
	if what := sensitiveWord(label); what != "" {
		return what
	}
	rest := asks.ReplaceAllString(label, "")
	if rest == label {
		return ""
	}
	for { // the first words decide, and a long name may follow
		if what := sensitiveWord(rest); what != "" {
			return what
		}
		runes := []rune(rest)
		limit := longestEnglish
		if hasHan(rest) {
			limit = longestChinese
		}
		if len(runes) <= limit {
			return ""
		}
		rest = string(runes[:limit])
	}
}

// between matches the spaces that stretch a Chinese label, as in "支 付".
var between = regexp.MustCompile(`(\p{Han}) (?:(\p{Han}))`)

// plainLabel takes away from a label what a person does not read: its case, wide letters, invisible characters,
// icons and quotes before the first word, and spaces between Chinese characters.
func plainLabel(label string) string {
	label = strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' { // wide forms of ASCII
			r += '!' - '！'
		}
		if unicode.In(r, unicode.Cf, unicode.Mn) { // marks, joiners, variants of an icon
			return -1
		}
		return unicode.ToLower(r)
	}, label)
	label = strings.TrimLeftFunc(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	label = strings.Join(strings.Fields(label), " ")
	for range 2 { // pairs overlap
		label = between.ReplaceAllString(label, "$1$2")
	}
	return label
}

func hasHan(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
}

var idWords = map[string]string{
	"pay": "a payment", "purchase": "a purchase", "buy": "a purchase", "transfer": "a transfer",
	"delete": "a deletion", "uninstall": "an uninstallation",
}

// sensitiveID judges a button without a text by its id: "com.shop:id/btnPay_now".
func sensitiveID(id string) string {
	id = id[strings.LastIndexAny(id, "/:")+1:]
	word := make([]rune, 0, len(id))
	for _, r := range id + "_" {
		if unicode.IsLower(r) {
			word = append(word, r)
			continue
		}
		if what := idWords[strings.ToLower(string(word))]; what != "" {
			return what
		}
		word = word[:0]
		if unicode.IsUpper(r) {
			word = append(word, r)
		}
	}
	return ""
}
