// Unpacks parts of the page, which it contains as gzip in base64.
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

// Reads the packed JSON in an element of the page.
export const unpackJson = async (id) => JSON.parse(new TextDecoder().decode(await unpack(document.getElementById(id).textContent)));
