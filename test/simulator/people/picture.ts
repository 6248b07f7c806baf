import { copyPng } from '../../../src/pictures/samples.ts'

/** A small picture, as a receipt or a document. */
function picture(): Blob {
  return new Blob([copyPng()], { type: 'image/png' })
}

/** Fields and one picture as a multipart form. */
export function formWith(fields: Readonly<Record<string, string>>): () => FormData {
  return () => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('image', picture(), 'picture.png')
    return form
  }
}
