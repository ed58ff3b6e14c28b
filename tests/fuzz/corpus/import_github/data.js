window.BENCHMARK_DATA = {
  "lastUpdate": 1771513003896,
  "repoUrl": "https://github.com/owner/project",
  "entries": {
    "Benchmark": [
      {
        "commit": {
          "author": {"name": "A", "email": "a@example.com"},
          "id": "b2580dff0a682fd5fa0955c41f4b0a6ed9b6ba0d",
          "message": "first"
        },
        "date": 1771513003000,
        "tool": "cargo",
        "benches": [
          {"name": "fold", "value": 1200, "range": "± 30", "unit": "ns/iter"}
        ]
      },
      {
        "commit": {"id": "d802e3b9d22e91ea3b5390a7d2c211f615890003", "message": "second"},
        "date": 1771513003896,
        "tool": "cargo",
        "benches": [
          {"name": "fold", "value": 1500, "range": "± 20", "unit": "ns/iter"}
        ]
      }
    ],
    "Scores": [
      {
        "commit": {"id": "d802e3b9d22e91ea3b5390a7d2c211f615890003", "message": "second"},
        "date": 1771513003896,
        "tool": "customBiggerIsBetter",
        "benches": [
          {"name": "score", "value": 7, "unit": "points"}
        ]
      }
    ]
  }
}
