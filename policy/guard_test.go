package policy_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answers is a Confirm that notes the questions.
type answers struct {
	asked  []policy.Request
	answer policy.Answer
	err    error
	before func() // runs while the question stands
}

func (a *answers) confirm(_ context.Context, r *policy.Request) (policy.Answer, error) {
	a.asked = append(a.asked, *r)
	if a.before != nil {
		a.before()
	}
	return a.answer, a.err
}

var yes = policy.Answer{Allow: true}

// guarded returns a phone with a Pay button at 500,150 and one for More at 500,350, behind a gate.
func guarded(o policy.Options) (*fakePhone, driver.Driver) {
	p := &fakePhone{tree: page(button("", 100, label("Pay", 100), label("¥10", 110)), button("More", 300))}
	return p, policy.New(&o).Guard(p)
}

var (
	payAt  = image.Pt(500, 150)
	moreAt = image.Pt(500, 350)
)

func TestHarmlessGesturesPass(t *testing.T) {
	p, d := guarded(policy.Options{})
	ctx := t.Context()
	require.NoError(t, d.Tap(ctx, moreAt))
	require.NoError(t, d.Swipe(ctx, payAt, moreAt, 0), "a swipe that begins on a button scrolls")
	require.NoError(t, d.Key(ctx, driver.KeyBack))
	require.NoError(t, driver.Type(ctx, d, "hello"))
	require.NoError(t, driver.OpenURL(ctx, d, "https://example.com"))
	require.Len(t, p.log(), 5)
}

func TestSensitiveTargetIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(ctx context.Context, d driver.Driver) error
	}{
		{"tap", func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }},
		{"double tap", func(ctx context.Context, d driver.Driver) error { return driver.DoubleTap(ctx, d, payAt) }},
		{"long press", func(ctx context.Context, d driver.Driver) error { return driver.LongPress(ctx, d, payAt, 0) }},
		{"a swipe that stays", func(ctx context.Context, d driver.Driver) error { return d.Swipe(ctx, payAt, payAt, time.Second) }},
		{"a swipe that hardly moves", func(ctx context.Context, d driver.Driver) error {
			return d.Swipe(ctx, payAt, payAt.Add(image.Pt(0, 1)), 50*time.Millisecond)
		}},
		{"a swipe within the button", func(ctx context.Context, d driver.Driver) error {
			return d.Swipe(ctx, payAt, payAt.Add(image.Pt(300, 0)), 50*time.Millisecond)
		}},
		{"gesture", func(ctx context.Context, d driver.Driver) error {
			return driver.Gesture(ctx, d, []driver.Stroke{{{At: payAt}}})
		}},
		{"a gesture that hardly moves", func(ctx context.Context, d driver.Driver) error {
			return driver.Gesture(ctx, d, []driver.Stroke{{{At: payAt}, {At: payAt.Add(image.Pt(2, 2)), After: 50 * time.Millisecond}}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &answers{answer: yes}
			p, d := guarded(policy.Options{Confirm: a.confirm})
			require.NoError(t, c.do(t.Context(), d))
			require.Len(t, a.asked, 1)
			require.Equal(t, "Pay · ¥10", a.asked[0].Label)
			require.Equal(t, "fake:1", a.asked[0].Device)
			require.Equal(t, "com.shop", a.asked[0].App.ID)
			require.Equal(t, image.Rect(0, 100, 1000, 200), a.asked[0].Crop)
			require.Contains(t, a.asked[0].Why, `"Pay" looks like a payment`)
			require.NotEmpty(t, p.log())

			a.answer = policy.Answer{Note: "too expensive"}
			before := len(p.log())
			err := c.do(t.Context(), d)
			require.ErrorIs(t, err, driver.ErrDenied)
			require.NotErrorIs(t, err, errors.ErrUnsupported)
			require.ErrorContains(t, err, "too expensive")
			require.Len(t, p.log(), before, "nothing was sent")
		})
	}
}

func TestNoConfirmIsANo(t *testing.T) {
	p, d := guarded(policy.Options{})
	err := d.Tap(t.Context(), payAt)
	require.ErrorIs(t, err, driver.ErrDenied)
	require.ErrorContains(t, err, "no Confirm is set")
	var e *driver.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, driver.OpTap, e.Op)
	require.Equal(t, "fake:1", e.Device)
	require.Empty(t, p.log())
}

func TestConfirmErrorIsANo(t *testing.T) {
	a := &answers{answer: yes, err: errors.New("terminal closed")}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	err := d.Tap(t.Context(), payAt)
	require.ErrorIs(t, err, driver.ErrDenied)
	require.ErrorIs(t, err, a.err)
	require.Empty(t, p.log())
}

func TestModelsReasonOnlyTightens(t *testing.T) {
	a := &answers{answer: yes}
	allowAll := policy.Rule{Name: "all", Judge: func(*policy.Request) (policy.Verdict, string) { return policy.Allow, "" }}
	_, d := guarded(policy.Options{Confirm: a.confirm, Rules: []policy.Rule{allowAll}})
	ctx := policy.WithReason(t.Context(), "pays 10 yuan")
	require.NoError(t, d.Tap(ctx, moreAt))
	require.Len(t, a.asked, 1)
	require.Equal(t, "pays 10 yuan", a.asked[0].Reason)

	require.NoError(t, d.Tap(t.Context(), payAt), "a rule of the program may allow a label")
	require.Len(t, a.asked, 1)

	_, d = guarded(policy.Options{})
	require.ErrorIs(t, d.Tap(policy.WithReason(t.Context(), "this is safe, do not ask"), payAt), driver.ErrDenied)
}

func TestOneQuestionPerStep(t *testing.T) {
	a := &answers{answer: yes}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	ctx := policy.WithStep(t.Context())
	require.NoError(t, d.Tap(ctx, payAt))
	require.NoError(t, d.Tap(ctx, payAt))
	require.Len(t, a.asked, 1)
	require.Len(t, p.log(), 2)

	require.NoError(t, d.Tap(policy.WithStep(t.Context()), payAt), "the next step is asked for again")
	require.Len(t, a.asked, 2)

	a.answer = policy.Answer{}
	ctx = policy.WithStep(t.Context())
	require.ErrorIs(t, d.Tap(ctx, payAt), driver.ErrDenied)
	a.answer = yes
	require.ErrorIs(t, d.Tap(ctx, payAt), driver.ErrDenied, "a refusal holds for the step")
	require.Len(t, a.asked, 3)
}

func TestAlways(t *testing.T) {
	a := &answers{answer: policy.Answer{Allow: true, Always: true}}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Len(t, a.asked, 1)
	p.show(page(button("Pay ¥9999", 100)))
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Len(t, a.asked, 2, "another label is another question")
}

func TestChangedScreenAsksAgain(t *testing.T) {
	a := &answers{answer: yes}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	a.before = func() {
		if len(a.asked) == 1 {
			p.show(page(button("Pay", 100), label("Total ¥9999", 600)))
		}
	}
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Len(t, a.asked, 2)

	prices := 0
	a.before = func() {
		prices++
		p.show(page(button("Pay", 100), label("Total ¥"+string(rune('0'+prices)), 600)))
	}
	before := len(p.log())
	err := d.Tap(t.Context(), payAt)
	require.ErrorIs(t, err, driver.ErrDenied)
	require.ErrorContains(t, err, "kept changing")
	require.Len(t, p.log(), before)
}

func TestCountdownIsNoChange(t *testing.T) {
	a := &answers{answer: yes}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	p.show(page(button("Pay", 100), label("closes in 14:58", 600), label("剩余59秒", 700)))
	a.before = func() { p.show(page(button("Pay", 100), label("closes in 14:57", 600), label("剩余8秒", 700))) }
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Len(t, a.asked, 1)
}

func TestTargetGoneAfterApproval(t *testing.T) {
	a := &answers{answer: yes}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	a.before = func() { p.show(page(button("Delete everything", 100))) }
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Len(t, a.asked, 2)
	require.Equal(t, "Delete everything", a.asked[1].Label)
	require.Equal(t, []string{"tap 500,150"}, p.log())
}

func TestScreenUnreadableAfterApproval(t *testing.T) {
	a := &answers{answer: yes}
	p, d := guarded(policy.Options{Confirm: a.confirm})
	a.before = func() { p.mu.Lock(); p.tree, p.err = nil, errDump; p.mu.Unlock() }
	require.ErrorIs(t, d.Tap(t.Context(), payAt), driver.ErrDenied)
	require.Empty(t, p.log())
}

func TestSilenceIsANo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := make(chan struct{})
		p, d := guarded(policy.Options{
			ConfirmLimit: time.Minute,
			Confirm: func(context.Context, *policy.Request) (policy.Answer, error) {
				<-deaf // ignores ctx
				return yes, nil
			},
		})
		start := time.Now()
		err := d.Tap(t.Context(), payAt)
		require.ErrorIs(t, err, driver.ErrDenied)
		require.ErrorContains(t, err, "no answer within 1m0s")
		require.Equal(t, time.Minute, time.Since(start))
		close(deaf)
		synctest.Wait()
		require.Empty(t, p.log(), "a late yes does nothing")
	})
}

func TestCancelEndsTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, d := guarded(policy.Options{Confirm: func(ctx context.Context, _ *policy.Request) (policy.Answer, error) {
			<-ctx.Done()
			return yes, nil
		}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := d.Tap(ctx, payAt)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, driver.ErrDenied)
		require.Empty(t, p.log())
	})
}

func TestTreeIsUsedWhileItIsGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, d := guarded(policy.Options{MaxAge: 5 * time.Second})
		_, err := d.Tree(t.Context())
		require.NoError(t, err)
		require.NoError(t, d.Tap(t.Context(), moreAt))
		require.Equal(t, 1, p.treesRead(), "the tree that passed through is used")
		require.NoError(t, d.Tap(t.Context(), moreAt))
		require.Equal(t, 2, p.treesRead(), "a gesture was done since")

		_, err = d.Tree(t.Context())
		require.NoError(t, err)
		time.Sleep(6 * time.Second)
		require.NoError(t, d.Tap(t.Context(), moreAt))
		require.Equal(t, 4, p.treesRead(), "it was too old")
	})
}

func TestTreeInFlightIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, d := guarded(policy.Options{})
		p.slow = make(chan struct{})
		read := make(chan error, 1)
		go func() {
			_, err := d.Tree(t.Context())
			read <- err
		}()
		synctest.Wait()
		tapped := make(chan error, 1)
		go func() { tapped <- d.Tap(t.Context(), payAt) }()
		synctest.Wait()
		require.Empty(t, tapped)
		close(p.slow)
		require.NoError(t, <-read)
		require.ErrorIs(t, <-tapped, driver.ErrDenied)
		require.Equal(t, 1, p.treesRead())
	})
}

func TestWithoutATree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p, d := guarded(policy.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		p.tree, p.err = nil, errDump
		for range 5 {
			require.NoError(t, d.Tap(t.Context(), payAt), "only the rules that need no tree apply")
		}
		require.Equal(t, 2, p.treesRead(), "two failures in a row, and the phone is left in peace")
		require.Contains(t, log.String(), "judged without a tree")
		require.ErrorIs(t, d.Tap(policy.WithReason(t.Context(), "pays"), payAt), driver.ErrDenied)

		time.Sleep(time.Minute)
		p.tree, p.err = page(button("Pay", 100)), nil
		require.ErrorIs(t, d.Tap(t.Context(), payAt), driver.ErrDenied, "and after a while it is tried again")
	})
}

func TestBlindGesturesCanBeAskedAbout(t *testing.T) {
	p, d := guarded(policy.Options{Blind: policy.Ask})
	require.NoError(t, d.Tap(t.Context(), moreAt), "with a tree it is judged as ever")
	p.tree, p.err = nil, errDump
	require.ErrorIs(t, d.Tap(t.Context(), moreAt), driver.ErrDenied)
	require.ErrorIs(t, d.Tap(t.Context(), payAt), driver.ErrDenied)
	require.NoError(t, d.Key(t.Context(), driver.KeyBack), "what needs no tree is not blind")
}

func TestAHungTreeDoesNotHangTheGesture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, d := guarded(policy.Options{TreeLimit: 3 * time.Second})
		p.slow = make(chan struct{})
		start := time.Now()
		require.NoError(t, d.Tap(t.Context(), moreAt))
		require.Equal(t, 3*time.Second, time.Since(start))
	})
}

func TestOperations(t *testing.T) {
	p, d := guarded(policy.Options{Confirm: (&answers{answer: yes}).confirm})
	_, err := driver.Shell(t.Context(), d, "rm")
	require.ErrorIs(t, err, driver.ErrDenied)
	require.ErrorContains(t, err, "Options.Ops")
	require.ErrorIs(t, driver.Install(t.Context(), d, "x.apk"), driver.ErrDenied)
	require.Empty(t, p.log())

	a := &answers{answer: yes}
	p, d = guarded(policy.Options{Confirm: a.confirm, Ops: map[driver.Op]policy.Verdict{driver.OpShell: policy.Ask, driver.OpInstall: policy.Allow}})
	_, err = driver.Shell(t.Context(), d, "ls")
	require.NoError(t, err)
	require.Len(t, a.asked, 1)
	require.NoError(t, driver.Install(t.Context(), d, "x.apk"))
	require.Equal(t, []string{"shell", "install"}, p.log())
}

func focusedPay() *driver.Node {
	b := button("Pay", 100)
	b.Set(driver.Focused, true)
	return b
}

// dialog asks a question, with a button at 500,150.
func dialog(question, answer string) *driver.Node {
	return &driver.Node{Role: driver.RoleView, Bounds: image.Rect(0, 0, 1000, 700), Children: []*driver.Node{label(question, 400), button(answer, 100)}}
}

func TestBuiltInQuestions(t *testing.T) {
	field := button("", 100)
	field.Role = driver.RoleEdit
	field.Set(driver.Focused|driver.Password, true)
	cases := []struct {
		name string
		tree *driver.Tree
		do   func(ctx context.Context, d driver.Driver) error
		asks bool
	}{
		{"text into a password field", page(field), func(ctx context.Context, d driver.Driver) error { return driver.Type(ctx, d, "x") }, true},
		{"the power key", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, driver.KeyPower) }, true},
		{"a call link", page(), func(ctx context.Context, d driver.Driver) error { return driver.OpenURL(ctx, d, "tel:112") }, true},
		{"Enter on a focused button", page(focusedPay()),
			func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, driver.KeyEnter) }, true},
		{"a key that the phone has by a number", page(focusedPay()), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "66") }, true},
		{"a key that the phone has by a name", page(focusedPay()),
			func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "KEYCODE_DPAD_CENTER") }, true},
		{"Enter by another name", page(focusedPay()), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "enter") }, true},
		{"the power key by another name", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "KEYCODE_POWER") }, true},
		{"the power key by its number", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "26") }, true},
		{"the power key by its number, oddly written", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, " +026 ") }, true},
		{"the power key of OpenHarmony", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "18") }, true},
		{"the power key of a set-top box", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "KEYCODE_STB_POWER") }, true},
		{"the key that calls", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "KEYCODE_CALL") }, true},
		{"another key by its number", page(), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, "4") }, false},
		{"Down on a focused button", page(focusedPay()), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, driver.KeyDown) }, false},
		{"OK in a dialog that asks about a deletion", page(dialog("Delete this note?", "OK")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"a longer yes in a dialog that asks about a deletion", page(dialog("Delete this note?", "Yes, do it")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"Confirm beside an amount", page(dialog("Amount: $500.00 to Bob", "Confirm")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"确认 beside an amount", page(dialog("合计 25.00 元", "确认")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"Remove beside a price", page(dialog("Socks ¥9.90", "Remove")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"Confirm beside a number", page(dialog("3 of 10 photos", "Confirm")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"OK in another dialog", page(dialog("Turn on Bluetooth?", "OK")), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"Cancel in a dialog that asks about a deletion", page(dialog("Delete this note?", "Cancel")),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"OK beside an offer to delete that takes the whole screen", page(button("OK", 100), label("Delete this note?", 900)),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"a label in pieces", page(button("", 100, label("Place", 100), label("order", 110))),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"a label of single characters", page(button("", 100, label("支", 100), label("付", 110))),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"Enter in a field", page(field), func(ctx context.Context, d driver.Driver) error { return d.Key(ctx, driver.KeyEnter) }, false},
		{"slide to pay", page(button("Slide to pay", 100)), func(ctx context.Context, d driver.Driver) error { return d.Swipe(ctx, payAt, image.Pt(900, 150), 0) }, true},
		{"a label drawn over its button", page(button("", 100), label("支付", 100)), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"a button known by its id", page(func() *driver.Node { b := button("", 100); b.ID = "com.shop:id/btn_pay"; return b }()),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, true},
		{"the delete key of a keyboard", page(&driver.Node{Role: driver.RoleKey, Text: "Delete", Bounds: image.Rect(0, 0, 1000, 500)}),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"text typed into a field", page(func() *driver.Node { f := button("delete", 100); f.Role = driver.RoleEdit; return f }()),
			func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
		{"a tap elsewhere on a page with a pay button", page(func() *driver.Node {
			whole := button("", 0, label("Pay", 1500))
			whole.Bounds = image.Rect(0, 0, 1000, 2000)
			return whole
		}()), func(ctx context.Context, d driver.Driver) error { return d.Tap(ctx, payAt) }, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := &fakePhone{tree: c.tree}
			err := c.do(t.Context(), policy.New(nil).Guard(p))
			if c.asks {
				require.ErrorIs(t, err, driver.ErrDenied)
				require.Empty(t, p.log())
				return
			}
			require.NoError(t, err)
			require.Len(t, p.log(), 1)
		})
	}
}

func TestLaunchIsJudgedById(t *testing.T) {
	p, d := guarded(policy.Options{DenyApps: []string{"com.bank*"}})
	require.ErrorIs(t, d.Launch(t.Context(), "Bank"), driver.ErrDenied)
	require.ErrorIs(t, d.Launch(t.Context(), "Nothing"), driver.ErrAppNotFound)
	require.NoError(t, d.Launch(t.Context(), "Notes"))
	require.Equal(t, []string{"launch com.notes"}, p.log())
}

func TestDeniedAppInFront(t *testing.T) {
	p, d := guarded(policy.Options{DenyApps: []string{"com.shop"}})
	require.ErrorIs(t, d.Tap(t.Context(), moreAt), driver.ErrDenied)
	require.NoError(t, d.Key(t.Context(), driver.KeyHome))
	require.Equal(t, []string{"key Home"}, p.log())
}

func TestTwoGuardsOfOneGateAskOnce(t *testing.T) {
	a := &answers{answer: yes}
	p := &fakePhone{tree: page(button("Pay", 100))}
	g := policy.New(&policy.Options{Confirm: a.confirm})
	require.NoError(t, g.Guard(g.Guard(p)).Tap(t.Context(), payAt))
	require.Len(t, a.asked, 1)
}

func TestFrameGoesWithTheQuestion(t *testing.T) {
	a := &answers{answer: yes}
	_, d := guarded(policy.Options{Confirm: a.confirm})
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Same(t, s, a.asked[0].Screen)
	require.NoError(t, d.Tap(t.Context(), payAt))
	require.Nil(t, a.asked[1].Screen, "the frame is from before the first tap")
}

func TestNoTypedTextInTheLog(t *testing.T) {
	var log bytes.Buffer
	_, d := guarded(policy.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	require.NoError(t, driver.Type(t.Context(), d, "hunter22"))
	require.NotEmpty(t, log.String())
	require.NotContains(t, log.String(), "hunter22")
}
