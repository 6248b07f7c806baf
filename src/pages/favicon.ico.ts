import { drawIconOnPaper, encodeIco, renderPng } from './_site/icons/icons.ts'

/** For clients that request it without reading the page. */
export async function GET(): Promise<Response> {
  const file = encodeIco(await renderPng(drawIconOnPaper(0.9), 32), 32)
  return new Response(file, { headers: { 'Content-Type': 'image/x-icon' } })
}
