/* Browsers start no worker for a page that was opened from a folder: there the search runs in a
   hidden frame. Material for MkDocs knows this stand-in by its name, IFrameWorker. */
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.body.appendChild(document.createElement("iframe"))
      frame.hidden = true
      this.inside = frame.contentWindow
      this.waiting = []
      frame.contentDocument.open()
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      this.inside.started = () => {
        const waiting = this.waiting
        this.waiting = null
        waiting.forEach((data) => this.postMessage(data))
      }
      frame.contentDocument.write(`<script src="${url}" onload="started()"></` + "script>")
      frame.contentDocument.close()
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data)
      else this.inside.dispatchEvent(new MessageEvent("message", { data }))
    }
  }
}
