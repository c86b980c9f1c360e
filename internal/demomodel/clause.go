package demomodel

import (
	"regexp"
	"strings"
)

// in and within name the app: "... in the Shop app", "在商店里...".
var (
	inApp  = `(?:\s+(?:in|with|using|via|on|inside)\s+(?:the\s+|my\s+)?(?P<app>[^,.;"']+?)(?:\s+app)?)?`
	within = `(?:[在用](?P<app>` + known + `|[^,，里中上给找发付支结搜]{1,12}?)(?:应用|app)?(?:里面|里|中|上)?)?`
	known  = apps.either()
	open   = `["'“‘「]`
	shut   = `["'”’」]`
)

// pattern is a way to say a goal, with groups named app, name, text, on, off.
type pattern struct {
	kind kind
	re   *regexp.Regexp
}

func patterns(k kind, res ...string) []pattern {
	out := make([]pattern, len(res))
	for i, re := range res {
		out[i] = pattern{k, regexp.MustCompile(`(?i)` + re)}
	}
	return out
}

// messagePatterns are searched for in the whole task, as a message may hold anything.
var messagePatterns = patterns(sendMessage,
	`\b(?:send|write|text)\s+(?:the |a )?(?:text |sms )?(?:message |text |sms )?(?:saying )?`+open+`(?P<text>.+?)`+shut+`\s+to\s+(?P<name>[^,.;]+?)`+inApp+`\s*(?:[,.;]|$)`,
	`\b(?:send|write)\s+(?:a |an )?(?:text |sms )?(?:message|text|sms)\s+to\s+(?P<name>[^,.;:]+?)`+inApp+`\s*(?:,?\s*(?:saying|that says|with the text|:|：)|,)\s*`+open+`?(?P<text>.+?)`+shut+`?\s*$`,
	`\b(?:send|write)\s+(?P<name>[A-Z]\w*)\s+(?:a |the )?(?:text |sms )?(?:message|text|sms)?\s*(?:saying|that says|:|：)?\s*`+open+`(?P<text>.+?)`+shut+`\s*$`,
	`\b(?:text|message|tell)\s+(?P<name>[^\s:,]+)\s*[:：,]?\s+(?:that |saying )?`+open+`?(?P<text>.+?)`+shut+`?\s*$`,
	`\bsend\s+(?P<text>[^"']+?)\s+to\s+(?P<name>[^,.;]+?)`+inApp+`\s*$`,
	within+`给(?P<name>[^,，:：说发]+?)(?:发送|发)(?:一?[条个])?(?:短信|消息|信息)?\s*(?:内容[是为])?(?:[,，]?说[:：]?|[:：,，])?\s*`+open+`?(?P<text>[^”"」]+?)`+shut+`?(?:的?(?:短信|消息|信息))?[。.]?\s*$`,
	within+`[把将]`+open+`(?P<text>.+?)`+shut+`(?:发送|发)给(?P<name>[^,，。]+)`,
	within+`(?:发送|发)(?:一?[条个])?(?:短信|消息|信息)给(?P<name>[^,，:：说]+?)[,，]?\s*(?:内容[是为])?[说:：,，]\s*`+open+`?(?P<text>[^”"」]+?)`+shut+`?[。.]?\s*$`,
	within+`告诉(?P<name>[^,，:：说]+?)[:：,，说]\s*`+open+`?(?P<text>[^”"」]+?)`+shut+`?[。.]?\s*$`,
)

// clausePatterns are tried in turn on one clause; the first that fits counts.
var clausePatterns = func() []pattern {
	var all []pattern
	for _, group := range [][]pattern{
		patterns(goHome, `^(?:go|return|back)(?: back)?(?: to)?(?: the)? home(?: ?screen)?$|^(?:回到|返回|去|回)(?:手机)?(?:桌面|主屏幕|主页)$|^press home$`),
		patterns(payCart,
			`\b(?:pay|check ?out)\b.*?`+inApp+`$`,
			`\b(?:buy|purchase|order)\s+(?:a |an |some |one )?(?P<name>.+?)`+inApp+`$`,
			`^`+within+`(?:购买|买)(?:一?[个件份杯包盒把])?(?P<name>[^单].*?)(?:并且?|然后|再)?(?:付款|付钱|支付|结账|结算|下单)?$`,
			`^`+within+`.*(?:付款|付钱|支付|结账|结算|买单|下单)`),
		patterns(addToCart,
			`\b(?:add|put)\s+(?:a |an |some |one )?(?P<name>.+?)\s+(?:in|into|to)\s+(?:the |my )?(?:shopping )?(?:cart|basket)`+inApp+`$`,
			`^`+within+`[把将](?P<name>.+?)(?:加入|放进|放入|加到)购物车`),
		patterns(setSwitch,
			`\b(?:turn|switch)\s+(?:(?P<on>on)|(?P<off>off))\s+(?P<name>.+?)`+inApp+`$`,
			`\b(?:turn|switch)\s+(?P<name>.+?)\s+(?:(?P<on>on)|(?P<off>off))`+inApp+`$`,
			`\b(?:(?P<on>enable|activate)|(?P<off>disable|deactivate))\s+(?P<name>.+?)`+inApp+`$`,
			`^`+within+`[把将](?P<name>.+?)(?:的开关)?(?:给)?(?:(?P<off>关掉|关闭|关上|关了|停用|禁用)|(?P<on>打开|开启|启用|开起来))`,
			`^`+within+`(?:(?P<off>关闭|关掉|关上|停用|禁用)|(?P<on>开启|启用))(?P<name>.+)$`),
		patterns(lookFor,
			`\b(?:find|look for|search for|scroll (?:down )?to|locate|show me|where is)\s+(?P<name>.+?)`+inApp+`$`,
			`^`+within+`(?:找到|查找|搜索|寻找|滑动到|滑到|找一下|看看|找)(?P<name>.+)$`),
		patterns(openApp,
			`^(?:打开|进入)(?P<app>`+known+`)(?:应用)?(?:里面|里|中)?的(?P<name>.+)$`,
			`\b(?:open|launch|start|go to)\s+(?P<name>.+?)`+inApp+`$`,
			`^`+within+`(?:打开|启动|进入|运行)(?P<name>.+)$`),
	} {
		all = append(all, group...)
	}
	return all
}()

// nobody is who is not meant where a sentence only looks like a message to somebody.
var nobody = []string{"a", "an", "the", "me", "us", "it", "message", "text"}

// messageIn finds a message that is to be sent, and returns what stands before and after it.
func messageIn(task string) (before string, g goal, after string, ok bool) {
	for _, p := range messagePatterns {
		if at := p.re.FindStringSubmatchIndex(task); at != nil {
			g := p.goal(task, at)
			if g.name == "" || g.text == "" || !hasNo(nobody, g.name) {
				continue
			}
			return task[:at[0]], g, task[at[1]:], true
		}
	}
	return "", goal{}, "", false
}

// clauseGoal reads one clause.
func clauseGoal(clause string) goal {
	clause = politeness.ReplaceAllString(strings.TrimSpace(clause), "")
	for _, p := range clausePatterns {
		if at := p.re.FindStringSubmatchIndex(clause); at != nil {
			return p.goal(clause, at).settled()
		}
	}
	return goal{kind: unknown, name: clause}
}

func (p pattern) goal(text string, at []int) goal {
	g := goal{kind: p.kind}
	for i, group := range p.re.SubexpNames() {
		if i == 0 || at[2*i] < 0 {
			continue
		}
		value := text[at[2*i]:at[2*i+1]]
		switch group {
		case "app":
			g.app = bare(value)
		case "name":
			g.name = bare(value)
		case "text":
			g.text = strings.TrimSpace(value)
		case "on":
			g.on = true
		}
	}
	return g
}

// settled tells what "open" means: an app, a switch that is to be on, or a page of an app. A cart is
// no app.
func (g goal) settled() goal {
	if g.kind == payCart && !hasNo(cartNames, g.app) {
		g.app = ""
	}
	if g.kind != openApp {
		return g
	}
	switch {
	case hasHan(g.name) && switches.know(g.name):
		return goal{kind: setSwitch, app: g.app, name: g.name, on: true}
	case g.app != "":
		return goal{kind: openPage, app: g.app, name: g.name}
	}
	return goal{kind: openApp, app: g.name}
}

var trimmings = regexp.MustCompile(`(?i)^(?:the|my|a|an)\s+|\s+(?:app|application|switch|setting|toggle|row|entry)$|(?:应用|app|开关|功能|这一?项|一?下)$`)

// bare takes off what belongs to no name.
func bare(name string) string {
	name = strings.Trim(name, " .,。，!！?？\"'“”‘’「」")
	for {
		shorter := strings.TrimSpace(trimmings.ReplaceAllString(name, ""))
		if shorter == name || shorter == "" {
			return name
		}
		name = shorter
	}
}
