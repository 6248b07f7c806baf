import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { ChartCourse } from './chartCourse.ts'
import type { DrawnChart } from './drawChart.ts'

type Drawing = { state: 'loading' } | { state: 'drawn'; chart: DrawnChart } | { state: 'failed' }

/** Fetches the library that draws, and keeps a course drawn in its place until that leaves the page. */
export function useDrawnChart(
  place: RefObject<HTMLElement | null>,
  course: ChartCourse,
  onPoint: (index: number | null) => void,
): Drawing & { retry: () => void } {
  const [drawing, setDrawing] = useState<Drawing>({ state: 'loading' })
  const draw = useCallback(() => {
    let chart: DrawnChart | null = null
    let isGone = false
    setDrawing({ state: 'loading' })
    import('./drawChart.ts').then(
      ({ drawChart }) => {
        if (isGone || place.current === null) return
        chart = drawChart(place.current, course, onPoint)
        setDrawing({ state: 'drawn', chart })
      },
      () => isGone || setDrawing({ state: 'failed' }),
    )
    return () => {
      isGone = true
      chart?.remove()
    }
  }, [place, course, onPoint])
  useEffect(draw, [draw])
  return { ...drawing, retry: draw }
}
