// Calls of functions in another process: `POST /control/<name>` with the parameters as JSON. Not part of any node's interface.

type Verbs<T> = { readonly [name in keyof T]: (...parameters: never[]) => Promise<unknown> }

/** Functions whose calls go to `answerRemote` behind this URL. A failure there throws an error with the same message. */
export function remote<T extends Verbs<T>>(url: string, names: readonly (keyof T & string)[]): T {
  const call = async (name: string, parameters: readonly unknown[]) => {
    const response = await fetch(`${url}/control/${name}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: string }
    if (error !== undefined) throw new Error(error)
    return result
  }
  // Complete if `names` is.
  return Object.fromEntries(
    names.map((name) => [name, (...parameters: unknown[]) => call(name, parameters)]),
  ) as unknown as T
}

/** Runs the function that the path names, and returns the answer's body. Undefined if the path is not one of a function. */
export async function answerRemote<T extends Verbs<T>>(
  verbs: T,
  path: string,
  body: string,
): Promise<string | undefined> {
  const name = /^\/control\/(\w+)$/.exec(path)?.[1]
  if (name === undefined || !Object.hasOwn(verbs, name)) return undefined
  try {
    const verb = verbs[name as keyof T] as unknown as (...parameters: unknown[]) => Promise<unknown>
    return JSON.stringify({ result: (await verb(...JSON.parse(body))) ?? null })
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}
