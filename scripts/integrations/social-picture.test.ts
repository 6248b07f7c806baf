import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawSocialPicture } from './social-picture.ts'

const words = { title: 'Fees', description: 'What it costs.', site: 'Evenkeel', host: 'evenkeel.example' }

test('a picture has the size that heads announce, and shows its title', async () => {
  const fees = await drawSocialPicture(words)
  const { width, height, format } = await sharp(fees).metadata()
  expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
  expect(fees.equals(await drawSocialPicture({ ...words, title: 'Reviews' }))).toBe(false)
  expect(fees.length).toBeLessThan(60_000)
})

test('long titles and rare letters fit completely', async () => {
  const title = 'Przedsiębiorstwo Łódź '.repeat(8)
  const long = await sharp(await drawSocialPicture({ ...words, title }))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const row = (y: number) => long.data.subarray(y * long.info.width, (y + 1) * long.info.width)
  expect(row(398).every((grey) => grey > 240)).toBe(true)
  expect(row(120).every((grey) => grey > 240)).toBe(true)
})
