/** The request as it would reach a deployment at this origin, which answers 421 for other hosts. */
export function atOrigin(request: Request, origin: string): Request {
  const { pathname, search } = new URL(request.url)
  return new Request(new URL(pathname + search, origin), request)
}
