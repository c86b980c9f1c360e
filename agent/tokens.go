package agent

import (
	"bytes"
	"image"
	_ "image/jpeg" // for the size of a picture
	_ "image/png"
	"math"
)

// What a token is worth, measured with o200k and the Qwen tokenizers: Latin text has 3.6 bytes to a token,
// Chinese about one character, and a picture a token for each 28x28 pixels, up to AutoGLM's limit of
// 5,000,000 pixels.
const (
	bytesPerToken = 3.6
	tokensPerRune = 1.1
	tile          = 28
	mostPixels    = 5_000_000
	perMessage    = 8
)

func textTokens(s string) int {
	latin, other := 0, 0
	for _, r := range s {
		if r < 0x80 {
			latin++
		} else {
			other++
		}
	}
	return int(math.Ceil(float64(latin)/bytesPerToken + float64(other)*tokensPerRune))
}

func imageTokens(size image.Point) int {
	pixels := min(size.X*size.Y, mostPixels)
	return pixels/(tile*tile) + 1
}

// messageTokens estimates what a message costs.
func messageTokens(m *Message) int {
	n := perMessage + textTokens(m.Text)
	if m.Image != nil {
		cfg, _, err := image.DecodeConfig(bytes.NewReader(m.Image.Data))
		if err != nil {
			return n + mostPixels/(tile*tile)
		}
		n += imageTokens(image.Pt(cfg.Width, cfg.Height))
	}
	return n
}
