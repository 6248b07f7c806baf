import { newPicture } from '../../support/picture.ts'
import { chanceOf } from '../lane/chance.ts'

/** Fields and one picture as a multipart form. The same name gives the same picture. */
export function formWith(fields: Readonly<Record<string, string>>, name: string): () => FormData {
  return () => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set('image', newPicture(chanceOf('picture', name).fill), 'picture.png')
    return form
  }
}
