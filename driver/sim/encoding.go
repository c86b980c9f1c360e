package sim

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/png"
	"sync"
)

// encodings are the PNGs of the frames that phones of this program showed last. Phones show the same
// pages again and again, and packing a frame takes longer than drawing it.
var encodings encodingCache

// keptEncodings bounds the cache. A PNG has some 20 to 60 KB.
const keptEncodings = 32

type encodingCache struct {
	mu    sync.Mutex
	byPix map[[sha256.Size]byte][]byte
	order [][sha256.Size]byte // oldest first
	pool  sync.Pool           // of *png.EncoderBuffer, a megabyte each
}

// png returns a frame as a PNG. The bytes are shared.
func (c *encodingCache) png(m *image.Paletted) []byte {
	key := frameKey(m)
	c.mu.Lock()
	data, ok := c.byPix[key]
	c.mu.Unlock()
	if !ok {
		data = c.encode(m)
		c.keep(key, data)
	}
	return data
}

func (c *encodingCache) encode(m *image.Paletted) []byte {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: c}
	if err := enc.Encode(&b, m); err != nil {
		panic("sim: " + err.Error()) // a paletted image in memory always encodes
	}
	return b.Bytes()
}

func (c *encodingCache) keep(key [sha256.Size]byte, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byPix == nil {
		c.byPix = map[[sha256.Size]byte][]byte{}
	}
	if _, again := c.byPix[key]; again {
		return // two phones showed it at the same time
	}
	if len(c.order) >= keptEncodings {
		delete(c.byPix, c.order[0])
		c.order = c.order[1:]
	}
	c.byPix[key], c.order = data, append(c.order, key)
}

// Get and Put make the cache a png.EncoderBufferPool.
func (c *encodingCache) Get() *png.EncoderBuffer {
	b, _ := c.pool.Get().(*png.EncoderBuffer)
	return b
}

// Put takes a buffer back.
func (c *encodingCache) Put(b *png.EncoderBuffer) { c.pool.Put(b) }

// frameKey is the same for frames that look the same.
func frameKey(m *image.Paletted) [sha256.Size]byte {
	h := sha256.New()
	for _, c := range m.Palette {
		r, g, b, _ := c.RGBA()
		_, _ = h.Write([]byte{byte(r), byte(g), byte(b)}) // a hash takes everything
	}
	_, _ = h.Write([]byte{byte(len(m.Palette)), byte(m.Stride >> 8), byte(m.Stride)})
	_, _ = h.Write(m.Pix)
	return [sha256.Size]byte(h.Sum(nil))
}
