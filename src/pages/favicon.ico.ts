import { iconOnPaper } from './_site/icons/drawing.ts'
import { ico } from './_site/icons/ico.ts'
import { png } from './_site/icons/png.ts'

/** For who asks for it without having read the page. */
export async function GET(): Promise<Response> {
  const file = ico(await png(iconOnPaper(0.9), 32), 32)
  return new Response(file, { headers: { 'Content-Type': 'image/x-icon' } })
}
