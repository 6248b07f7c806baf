import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawIconOnPaper, encodeIco, renderPng } from './icons.ts'

test('an ICO file says where its PNG begins, how long it is and how large', async () => {
  const picture = await renderPng(drawIconOnPaper(0.9), 32)
  const file = Buffer.from(encodeIco(picture, 32))
  const [length, start] = [file.readUInt32LE(14), file.readUInt32LE(18)]
  expect([...file.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
  expect(file.length).toBe(start + length)
  const { width, height, format } = await sharp(file.subarray(start)).metadata()
  expect({ width, height, format }).toEqual({ width: 32, height: 32, format: 'png' })
})

test('a maskable icon keeps its mark inside the circle that every system leaves', async () => {
  const { data, info } = await sharp(await renderPng(drawIconOnPaper(0.52), 512))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const farthest = data.reduce((most, grey, index) => {
    const [x, y] = [index % info.width, Math.floor(index / info.width)]
    return grey > 240 ? most : Math.max(most, Math.hypot(x - 256, y - 256))
  }, 0)
  expect(farthest).toBeGreaterThan(100)
  expect(farthest).toBeLessThan(0.4 * 512)
})
