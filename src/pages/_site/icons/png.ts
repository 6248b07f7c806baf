import sharp from 'sharp'

/** @param size width and height in pixels */
export async function png(svg: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const density = (72 * size) / 32
  const picture = sharp(Buffer.from(svg), { density }).resize(size, size).png({ palette: true, effort: 10 })
  return new Uint8Array(await picture.toBuffer())
}
