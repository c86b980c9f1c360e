package action

import (
	"image"
	"strings"
	"testing"
)

const usualReply = `<think>当前页面是设置首页,蓝牙选项在列表中可见。我需要点击“蓝牙”进入蓝牙设置页面,然后检查开关的状态,如果是打开的就把它关闭。</think>
<answer>do(action="Tap", element=[499,356])</answer>`

func BenchmarkParse(b *testing.B) {
	long := "<think>" + strings.Repeat("我需要先点击搜索按钮, then do(it) again. ", 20_000) + "</think>"
	for name, reply := range map[string]string{
		"usual":      usualReply,
		"text":       `do(action="Type", text="` + strings.Repeat(`he said "hi" (twice), `, 40) + `")`,
		"longThink":  long + `<answer>do(action="Back")</answer>`,
		"degenerate": strings.Repeat(`do(action="Type", text="a `, 40_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(reply)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Parse(reply)
			}
		})
	}
}

func BenchmarkSplitter(b *testing.B) {
	for name, size := range map[string]int{"bytes": 1, "tokens": 6, "whole": len(usualReply)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(usualReply)))
			b.ReportAllocs()
			for b.Loop() {
				splitAll(usualReply, size)
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) {
	a := Action(Swipe{From: Target{At: Point{X: 500, Y: 800}}, To: Target{At: Point{X: 500, Y: 200}}})
	for b.Loop() {
		Format(a)
	}
}

func BenchmarkPixel(b *testing.B) {
	v := View{Frame: image.Pt(1080, 2400)}
	for b.Loop() {
		_, _ = v.Pixel(Point{X: 512, Y: 800})
	}
}
