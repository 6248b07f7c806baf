import type { Env } from '../env.ts'

/** An address of the site with query parameters, for a mail. */
export function linkTo(env: Env, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(path, env.PUBLIC_ORIGIN)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
