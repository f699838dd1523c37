// What the browser remembers for comfort. One that blocks site data remembers it for this page only.

class Memory {
  #values = new Map();

  getItem(key) {
    return this.#values.get(key) ?? null;
  }

  setItem(key, value) {
    this.#values.set(key, value);
  }

  removeItem(key) {
    this.#values.delete(key);
  }
}

function open(name) {
  try {
    const storage = window[name];
    storage.setItem("probe", "");
    storage.removeItem("probe");
    return storage;
  } catch {
    return new Memory();
  }
}

export const local = open("localStorage");
export const session = open("sessionStorage"); // of this tab

/** Whether a tab remembers anything on its next page. */
export const isKept = !(session instanceof Memory);
