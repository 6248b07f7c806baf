/** Whether the browser refuses to store anything for this site. Then no user can stay signed in. */
export function isStorageBlocked(): boolean {
  const key = 'storage-check'
  try {
    localStorage.setItem(key, '')
    localStorage.removeItem(key)
    return false
  } catch {
    return true
  }
}
