// What the faces of all games are drawn with. A card is 100 wide and 140 high.

export const WIDTH = 100;
export const HEIGHT = 140;

/** The points of a star with so many rays, as the path of a polygon. */
export function star(x, y, rays, outer, inner) {
  const points = [];
  for (let k = 0; k < 2 * rays; k += 1) {
    const radius = k % 2 ? inner : outer;
    const angle = (Math.PI * k) / rays - Math.PI / 2;
    points.push(`${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`);
  }
  return `M${points.join("L")}Z`;
}

/** The places of `count` points on a circle, clockwise from the top. */
export function ring(x, y, count, radius, of = count) {
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / of - Math.PI / 2;
    return [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle))];
  });
}

/** The paper of a card with its edge. */
export function paper(fill, edge) {
  return `<rect x="1" y="1" width="98" height="138" rx="10" fill="${fill}" stroke="${edge}"
    stroke-width="1.5"/>`;
}

/** A word or number on a card. */
export function lettering(text, x, y, size, fill, more = "") {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="middle"
    ${more}>${text}</text>`;
}

/** The same mark in the upper left corner and, turned round, in the lower right one. */
export function corners(mark) {
  return `<g>${mark}</g><g transform="rotate(180 50 70)">${mark}</g>`;
}

function round(number) {
  return Math.round(number * 100) / 100;
}
