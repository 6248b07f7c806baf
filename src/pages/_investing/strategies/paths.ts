/** A file of named paths, which pages draw with `use`. Inline, they would use up the pages' budget. Lines keep their width when stretched. */
export function respondWithPaths(paths: Readonly<Record<string, string>>): Response {
  const drawn = Object.entries(paths).map(
    ([id, d]) => `<path id="${id}" vector-effect="non-scaling-stroke" d="${d}"/>`,
  )
  return new Response(`<svg xmlns="http://www.w3.org/2000/svg">${drawn.join('')}</svg>`, {
    headers: { 'Content-Type': 'image/svg+xml' },
  })
}
