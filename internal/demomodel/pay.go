package demomodel

import (
	"regexp"
	"slices"
	"strings"
)

var (
	confirmNames = []string{"Confirm payment", "Confirm and pay", "Pay now", "确认付款", "确认支付", "立即支付", "立即付款"}
	yesNames     = []string{"Confirm", "确认", "确定", "OK"}
	payNames     = []string{"Pay", "付款", "去付款", "支付", "去支付", "Checkout", "Check out", "结算", "去结算", "结账"}
	cartNames    = []string{"Cart", "购物车", "Shopping cart", "Basket", "Bag"}

	addNames = []string{"Add", "Add to cart", "加入", "加入购物车", "加购"}

	paidPattern  = regexp.MustCompile(`(?i)\bpaid\b|payment (?:complete|successful|done|received)|thank you|order placed|支付成功|付款成功|已付款|已支付|下单成功`)
	emptyPattern = regexp.MustCompile(`(?i)cart is empty|empty cart|nothing in (?:the|your) cart|购物车是空的|购物车为空|购物车空`)
	sumPattern   = regexp.MustCompile(`[¥￥$€£]\s?\d+(?:[.,]\d+)*|\d+(?:\.\d+)?\s?元`)
	totalPattern = regexp.MustCompile(`(?i)\btotal\b|合计|总计|总价`)
	notPaying    = regexp.MustCompile(`(?i)method|history|options|方式|记录|设置`)
)

// pay goes to the cart and pays for it. Each tap that pays carries a message, so that the person is
// asked.
func (p plan) pay() step {
	if s, there := p.arrive(); !there {
		return s
	}
	begun := p.past.thought(p.paying())
	if begun && p.shows(paidPattern) {
		return step{
			done:    true,
			thought: p.say.in("The shop says that it is paid.", "商店显示已经付款。"),
			message: p.say.in("Paid in %s.", "已在%s付款。", p.app),
		}
	}
	button := func(r row) bool { return r.pressable() && !r.is("edit") && !notPaying.MatchString(r.label) }
	if r, ok := p.now.find(confirmNames, button); ok {
		return p.payBy(r)
	}
	if r, ok := p.now.find(yesNames, button); ok && begun {
		return p.payBy(r)
	}
	if r, ok := p.now.find(payNames, button); ok {
		return p.payBy(r)
	}
	if p.shows(emptyPattern) {
		return step{
			failed:  true,
			thought: p.say.in("There is nothing to pay for.", "没有可以付款的商品。"),
			message: p.say.in("Not done: the cart in %s is empty.", "没有完成:%s的购物车是空的。", p.app),
		}
	}
	if r, ok := p.now.find(cartNames, func(r row) bool {
		return button(r) && !strings.Contains(normal(r.label), "add to") && !strings.Contains(r.label, "加入")
	}); ok && p.past.count("Tap") < 4 {
		return step{thought: p.say.in("I open the cart.", "打开购物车。"), action: call("Tap", "ref", r.ref)}
	}
	return p.seek(p.say.in("the pay button", "付款按钮"))
}

func (p plan) paying() string {
	return p.say.in("This pays, so the person must confirm it.", "这一步会付款,需要用户确认。")
}

func (p plan) payBy(r row) step {
	tries := 0
	for _, t := range p.past {
		if strings.HasSuffix(t.thought, p.paying()) {
			tries++
		}
	}
	if tries >= 3 || r.flagged("disabled") {
		return p.stuck(r.label)
	}
	return step{thought: p.paying(), action: call("Tap", "ref", r.ref, "message", p.bill(r))}
}

// bill says what the person is asked: with the sum, where one is shown.
func (p plan) bill(button row) string {
	sum := sumPattern.FindString(button.label)
	if total, ok := p.now.first(func(r row) bool { return totalPattern.MatchString(r.label) && sumPattern.MatchString(r.label) }); ok && sum == "" {
		sum = sumPattern.FindString(total.label)
	}
	if any, ok := p.now.first(func(r row) bool { return sumPattern.MatchString(r.label) }); ok && sum == "" {
		sum = sumPattern.FindString(any.label)
	}
	if sum == "" {
		return p.say.in("Pay in %s?", "在%s付款?", p.app)
	}
	return p.say.in("Pay %s in %s?", "支付%s(%s)?", sum, p.app)
}

// addToCart taps the button beside the product.
func (p plan) addToCart() step {
	if s, there := p.arrive(); !there {
		return s
	}
	adding := p.say.in("I put %s into the cart.", "把%s加入购物车。", p.name)
	if p.past.thought(adding) {
		return step{
			done:    true,
			thought: p.say.in("%s is in the cart.", "%s已在购物车里。", p.name),
			message: p.say.in("Put %s into the cart.", "已把%s加入购物车。", p.name),
		}
	}
	product, ok := p.now.find([]string{p.name}, func(r row) bool { return !r.is("edit") })
	if !ok {
		return p.seek(p.name)
	}
	button, ok := p.now.first(func(r row) bool {
		return r.pressable() && r.fits(addNames) > 1 && max(r.y-product.y, product.y-r.y) < 25
	})
	if !ok {
		return p.stuck(p.name)
	}
	return step{thought: adding, action: call("Tap", "ref", button.ref)}
}

func (p plan) shows(re *regexp.Regexp) bool {
	return slices.ContainsFunc(p.now.rows, func(r row) bool { return re.MatchString(r.label) })
}
