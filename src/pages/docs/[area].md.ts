import type { APIRoute } from 'astro'
import { createMarkdownResponse, formatArea } from '../_site/api/markdown.ts'
import { type Area, listAreas } from '../_site/api/reference.ts'

export function getStaticPaths() {
  return listAreas().map((area) => ({ params: { area: area.slug }, props: { area } }))
}

export const GET: APIRoute<{ area: Area }> = ({ props }) => createMarkdownResponse(formatArea(props.area))
