import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Toast, useToasterStore } from 'react-hot-toast/headless'
import { beforeEach, expect, test } from 'vitest'
import { toast, toastOptions } from './toasts.ts'

beforeEach(() => toast.removeAll())

test('each kind of toast stands as long as it should, and takes a second to leave', () => {
  toast('blank')
  toast.error('error')
  toast.success('success')
  toast.loading('loading')
  toast.custom('custom')
  const stands = Object.fromEntries(
    kept().map(({ type, duration, removeDelay }) => [type, [duration, removeDelay]]),
  )
  expect(stands).toEqual({
    blank: [4000, 1000],
    error: [4000, 1000],
    success: [2000, 1000],
    loading: [Number.POSITIVE_INFINITY, 1000],
    custom: [4000, 1000],
  })
})

test('at most 20 toasts are kept, and the oldest go first', () => {
  for (let count = 1; count <= 25; count++) toast(`message ${count}`)
  const messages = kept().map(({ message }) => message)
  expect(messages).toHaveLength(20)
  expect(messages.at(0)).toBe('message 25')
  expect(messages.at(-1)).toBe('message 6')
})

test('a dismissed toast is no longer visible, but is kept while it leaves', () => {
  const id = toast('short')
  toast.dismiss(id)
  expect(kept()).toMatchObject([{ id, visible: false, dismissed: true }])
})

let seen: Toast[] = []

/** The toasts as the Toaster would see them; rendering is the only way into the package's store. */
function kept(): Toast[] {
  renderToStaticMarkup(createElement(Probe))
  return seen
}

function Probe() {
  seen = useToasterStore(toastOptions).toasts
  return null
}
